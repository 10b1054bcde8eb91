package main

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"

	"github.com/julienschmidt/httprouter"
)

func newSHA256() (http.Handler, error) {
	path, err := requireEnv("WEBDYNO_FILE")
	if err != nil {
		return nil, err
	}
	router := httprouter.New()
	router.GET("/benchmark", func(w http.ResponseWriter, r *http.Request, _ httprouter.Params) {
		n, err := strconv.ParseUint(r.URL.Query().Get("n"), 10, 32)
		if err != nil || n < 1 || n > 100_000 {
			http.Error(w, "n must be an integer from 1 to 100000", http.StatusBadRequest)
			return
		}
		content, err := os.ReadFile(path)
		if err != nil {
			log.Print(err)
			http.Error(w, "the file cannot be read", http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		io.WriteString(w, hex.EncodeToString(digestChain(content, n)))
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
