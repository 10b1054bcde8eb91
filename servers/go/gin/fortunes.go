package main

import (
	"log"
	"net/http"

	"github.com/gin-gonic/gin"
)

func newFortunes() (http.Handler, error) {
	pool, err := openPostgres()
	if err != nil {
		return nil, err
	}
	router := gin.New()
	router.LoadHTMLFS(http.FS(templates), "templates/*.html")
	router.GET("/fortunes", func(c *gin.Context) {
		added := c.Query("added")
		if added == "" {
			c.String(http.StatusBadRequest, "added must be a text")
			return
		}
		fortunes, err := readFortunes(c.Request.Context(), pool, added)
		if err != nil {
			log.Print(err)
			c.String(http.StatusInternalServerError, "the rows cannot be read")
			return
		}
		c.HTML(http.StatusOK, "fortunes.html", fortunes)
	})
	return router, nil
}
