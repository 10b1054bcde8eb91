package main

import (
	"log"
	"net/http"

	"github.com/gin-gonic/gin"
)

func newPage() (http.Handler, error) {
	pool, err := openPostgres()
	if err != nil {
		return nil, err
	}
	router := gin.New()
	router.LoadHTMLFS(http.FS(templates), "templates/*.html")
	router.GET("/page", func(c *gin.Context) {
		articles, err := readArticles(c.Request.Context(), pool)
		if err != nil {
			log.Print(err)
			c.String(http.StatusInternalServerError, "the rows cannot be read")
			return
		}
		c.HTML(http.StatusOK, "page.html", articles)
	})
	return router, nil
}
