package main

import (
	"crypto/sha256"
	"fmt"
	"io"
	"log"
	"net/http"

	"github.com/julienschmidt/httprouter"
)

func newUpload() (http.Handler, error) {
	router := httprouter.New()
	router.POST("/upload", func(w http.ResponseWriter, r *http.Request, _ httprouter.Params) {
		hash := sha256.New()
		length, err := io.Copy(hash, http.MaxBytesReader(w, r.Body, largestUpload))
		if err != nil {
			log.Print(err)
			http.Error(w, "the body cannot be read", http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		fmt.Fprintf(w, "sha256:%x %d", hash.Sum(nil), length)
	})
	return router, nil
}

// largestUpload is the length of the longest body that is taken, in bytes.
const largestUpload = 64 << 20
