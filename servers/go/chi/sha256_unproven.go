package main

import (
	"crypto/sha256"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"

	"github.com/go-chi/chi/v5"
)

// newSHA256Unproven hashes the file n times and answers OK: whether it did, no answer tells.
func newSHA256Unproven() (http.Handler, error) {
	path, err := requireEnv("WEBDYNO_FILE")
	if err != nil {
		return nil, err
	}
	number := func(r *http.Request) string { return r.URL.Query().Get("n") }
	if os.Getenv("AS_PUBLISHED") != "" {
		// The path has no such part: n is the empty string, and 0 once its error is dropped.
		number = func(r *http.Request) string { return chi.URLParam(r, "n") }
	}
	router := chi.NewRouter()
	router.Get("/benchmark", func(w http.ResponseWriter, r *http.Request) {
		n, _ := strconv.Atoi(number(r)) // As it was published, too.
		content, err := os.ReadFile(path)
		if err != nil {
			log.Print(err)
			http.Error(w, "the file cannot be read", http.StatusInternalServerError)
			return
		}
		hashTimes(content, n)
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		io.WriteString(w, "OK")
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
