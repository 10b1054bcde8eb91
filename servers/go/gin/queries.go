package main

import (
	"log"
	"net/http"

	"github.com/gin-gonic/gin"
)

func newQueries() (http.Handler, error) {
	pool, err := openPostgres()
	if err != nil {
		return nil, err
	}
	router := gin.New()
	router.GET("/queries", func(c *gin.Context) {
		worlds, err := readWorlds(c.Request.Context(), pool, clampedRows(c.Query("n")))
		if err != nil {
			log.Print(err)
			c.String(http.StatusInternalServerError, "the rows cannot be read")
			return
		}
		c.JSON(http.StatusOK, worlds)
	})
	return router, nil
}
