package main

import (
	"encoding/json"
	"io"
	"net/http"

	"github.com/go-chi/chi/v5"
)

func newMiddleware() (http.Handler, error) {
	number, err := wantedMiddlewares()
	if err != nil {
		return nil, err
	}
	var seen counts
	router := chi.NewRouter()
	for range number {
		router.Use(func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				seen.passed.Add(1)
				next.ServeHTTP(w, r)
			})
		})
	}
	router.Get("/hello", func(w http.ResponseWriter, r *http.Request) {
		seen.requests.Add(1)
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		io.WriteString(w, "Hello World")
	})
	router.Get("/passed", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(seen.tally())
	})
	return router, nil
}
