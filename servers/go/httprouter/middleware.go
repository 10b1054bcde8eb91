package main

import (
	"encoding/json"
	"io"
	"net/http"

	"github.com/julienschmidt/httprouter"
)

func newMiddleware() (http.Handler, error) {
	number, err := wantedMiddlewares()
	if err != nil {
		return nil, err
	}
	var seen counts
	router := httprouter.New()
	router.GET("/hello", func(w http.ResponseWriter, r *http.Request, _ httprouter.Params) {
		seen.requests.Add(1)
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		io.WriteString(w, "Hello World")
	})
	router.GET("/passed", func(w http.ResponseWriter, r *http.Request, _ httprouter.Params) {
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(seen.tally())
	})
	var handler http.Handler = router
	for range number {
		handler = counting(&seen, handler)
	}
	return handler, nil
}

// counting is a middleware: it counts a request and passes it on.
func counting(seen *counts, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen.passed.Add(1)
		next.ServeHTTP(w, r)
	})
}
