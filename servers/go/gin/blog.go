package main

import (
	"embed"
	"net/http"
	"path/filepath"

	"github.com/gin-gonic/gin"
)

//go:embed templates
var templates embed.FS

func newBlog() (http.Handler, error) {
	folder, err := requireEnv("WEBDYNO_BLOG_DATA")
	if err != nil {
		return nil, err
	}
	lib, err := loadLibrary(folder)
	if err != nil {
		return nil, err
	}

	router := gin.New()
	router.LoadHTMLFS(http.FS(templates), "templates/*.html")
	router.GET("/blog", func(c *gin.Context) {
		c.HTML(http.StatusOK, "blog.html", lib.drawPage())
	})
	static := filepath.Join(folder, "static")
	router.Static("/images", filepath.Join(static, "images"))
	router.Static("/css", filepath.Join(static, "css"))
	return router, nil
}
