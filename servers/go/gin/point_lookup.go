package main

import (
	"database/sql"
	"errors"
	"log"
	"net/http"

	"github.com/gin-gonic/gin"
)

func newPointLookup() (http.Handler, error) {
	skus, err := openLookup()
	if err != nil {
		return nil, err
	}
	router := gin.New()
	router.GET("/sku", func(c *gin.Context) {
		id, asked := c.GetQuery("id")
		if !asked {
			id = skus.draw()
		}
		sku, err := skus.find(c.Request.Context(), id)
		if errors.Is(err, sql.ErrNoRows) {
			c.String(http.StatusNotFound, "no such row")
			return
		}
		if err != nil {
			log.Print(err)
			c.String(http.StatusInternalServerError, "the row cannot be read")
			return
		}
		c.String(http.StatusOK, "%s", sku)
	})
	return router, nil
}
