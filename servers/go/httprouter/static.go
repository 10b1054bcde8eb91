package main

import (
	"net/http"

	"github.com/julienschmidt/httprouter"
)

func newStatic() (http.Handler, error) {
	folder, err := requireEnv("WEBDYNO_STATIC")
	if err != nil {
		return nil, err
	}
	router := httprouter.New()
	router.ServeFiles("/*filepath", http.Dir(folder))
	return router, nil
}
