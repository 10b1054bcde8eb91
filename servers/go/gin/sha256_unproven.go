package main

import (
	"crypto/sha256"
	"log"
	"net/http"
	"os"
	"strconv"

	"github.com/gin-gonic/gin"
)

// newSHA256Unproven hashes the file n times and answers OK: whether it did, no answer tells.
func newSHA256Unproven() (http.Handler, error) {
	path, err := requireEnv("WEBDYNO_FILE")
	if err != nil {
		return nil, err
	}
	router := gin.New()
	router.GET("/benchmark", func(c *gin.Context) {
		n, _ := strconv.Atoi(c.Query("n")) // An n that is none is 0, as it was published.
		content, err := os.ReadFile(path)
		if err != nil {
			log.Print(err)
			c.String(http.StatusInternalServerError, "the file cannot be read")
			return
		}
		hashTimes(content, n)
		c.String(http.StatusOK, "OK")
	})
	return router, nil
}

// hashTimes hashes content n times, each time the same.
func hashTimes(content []byte, n int) (last [sha256.Size]byte) {
	for range n {
		last = sha256.Sum256(content)
	}
	return last
}
