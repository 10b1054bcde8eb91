package main

import (
	"crypto/sha256"
	"encoding/hex"
	"log"
	"net/http"
	"os"
	"strconv"

	"github.com/gin-gonic/gin"
)

func newSHA256() (http.Handler, error) {
	path, err := requireEnv("WEBDYNO_FILE")
	if err != nil {
		return nil, err
	}
	router := gin.New()
	router.GET("/benchmark", func(c *gin.Context) {
		n, err := strconv.ParseUint(c.Query("n"), 10, 32)
		if err != nil || n < 1 || n > 100_000 {
			c.String(http.StatusBadRequest, "n must be an integer from 1 to 100000")
			return
		}
		content, err := os.ReadFile(path)
		if err != nil {
			log.Print(err)
			c.String(http.StatusInternalServerError, "the file cannot be read")
			return
		}
		c.String(http.StatusOK, hex.EncodeToString(digestChain(content, n)))
	})
	return router, nil
}

// digestChain returns the n-th digest: the first is that of content, each further one that of
// content followed by the digest before it.
func digestChain(content []byte, n uint64) []byte {
	hash := sha256.New()
	var digest []byte
	for range n {
		hash.Reset()
		hash.Write(content)
		hash.Write(digest)
		digest = hash.Sum(digest[:0])
	}
	return digest
}
