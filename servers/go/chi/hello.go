package main

import (
	"io"
	"net/http"

	"github.com/go-chi/chi/v5"
)

func newHello() (http.Handler, error) {
	router := chi.NewRouter()
	router.Get("/hello", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		io.WriteString(w, "Hello World")
	})
	return router, nil
}
