package main

import (
	"net/http"

	"github.com/gin-gonic/gin"
)

func newStatic() (http.Handler, error) {
	folder, err := requireEnv("WEBDYNO_STATIC")
	if err != nil {
		return nil, err
	}
	router := gin.New()
	router.Static("/", folder)
	return router, nil
}
