package main

import (
	"crypto/sha256"
	"io"
	"log"
	"net/http"

	"github.com/gin-gonic/gin"
)

// largestUpload is the length of the longest body that is taken, in bytes.
const largestUpload = 64 << 20

func newUpload() (http.Handler, error) {
	router := gin.New()
	router.POST("/upload", func(c *gin.Context) {
		hash := sha256.New()
		length, err := io.Copy(hash, http.MaxBytesReader(c.Writer, c.Request.Body, largestUpload))
		if err != nil {
			log.Print(err)
			c.String(http.StatusBadRequest, "the body cannot be read")
			return
		}
		c.String(http.StatusOK, "sha256:%x %d", hash.Sum(nil), length)
	})
	return router, nil
}
