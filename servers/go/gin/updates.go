package main

import (
	"log"
	"net/http"

	"github.com/gin-gonic/gin"
)

func newUpdates() (http.Handler, error) {
	pool, err := openPostgres()
	if err != nil {
		return nil, err
	}
	router := gin.New()
	router.POST("/updates", func(c *gin.Context) {
		items, err := countItems(c.Request.Context(), pool, clampedRows(c.Query("n")))
		if err != nil {
			log.Print(err)
			c.String(http.StatusInternalServerError, "the rows cannot be counted")
			return
		}
		c.JSON(http.StatusOK, items)
	})
	return router, nil
}
