package main

import (
	"net/http"

	"github.com/gin-gonic/gin"
)

func newHello() (http.Handler, error) {
	router := gin.New()
	router.GET("/hello", func(c *gin.Context) {
		c.String(http.StatusOK, "Hello World")
	})
	return router, nil
}
