package main

import (
	"io"
	"net/http"

	"github.com/julienschmidt/httprouter"
)

func newHello() (http.Handler, error) {
	router := httprouter.New()
	router.GET("/hello", func(w http.ResponseWriter, r *http.Request, _ httprouter.Params) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		io.WriteString(w, "Hello World")
	})
	return router, nil
}
