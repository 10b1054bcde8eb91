package main

import (
	"fmt"
	"net/http"

	"github.com/gin-gonic/gin"
)

// mostMiddlewares is how many Gin takes before a route's own handler.
const mostMiddlewares = 61

func newMiddleware() (http.Handler, error) {
	number, err := wantedMiddlewares()
	if err != nil {
		return nil, err
	}
	if number > mostMiddlewares {
		return nil, fmt.Errorf("WEBDYNO_MIDDLEWARE is %d: Gin takes at most %d for a route", number, mostMiddlewares)
	}
	var seen counts
	router := gin.New()
	for range number {
		router.Use(func(c *gin.Context) {
			seen.passed.Add(1)
			c.Next()
		})
	}
	router.GET("/hello", func(c *gin.Context) {
		seen.requests.Add(1)
		c.String(http.StatusOK, "Hello World")
	})
	router.GET("/passed", func(c *gin.Context) {
		c.JSON(http.StatusOK, seen.tally())
	})
	return router, nil
}
