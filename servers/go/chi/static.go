package main

import (
	"net/http"

	"github.com/go-chi/chi/v5"
)

func newStatic() (http.Handler, error) {
	folder, err := requireEnv("WEBDYNO_STATIC")
	if err != nil {
		return nil, err
	}
	router := chi.NewRouter()
	router.Handle("/*", http.FileServer(http.Dir(folder)))
	return router, nil
}
