package main

import (
	"bytes"
	_ "embed"
	"html/template"
	"log"
	"net/http"

	"github.com/julienschmidt/httprouter"
)

//go:embed templates/fortunes.html
var fortunesTemplate string

func newFortunes() (http.Handler, error) {
	pool, err := openPostgres()
	if err != nil {
		return nil, err
	}
	tmpl, err := template.New("fortunes").Parse(fortunesTemplate)
	if err != nil {
		return nil, err
	}
	router := httprouter.New()
	router.GET("/fortunes", func(w http.ResponseWriter, r *http.Request, _ httprouter.Params) {
		added := r.URL.Query().Get("added")
		if added == "" {
			http.Error(w, "added must be a text", http.StatusBadRequest)
			return
		}
		fortunes, err := readFortunes(r.Context(), pool, added)
		if err != nil {
			log.Print(err)
			http.Error(w, "the rows cannot be read", http.StatusInternalServerError)
			return
		}
		// Rendered to memory first: an error must not follow half a page sent as 200.
		var html bytes.Buffer
		if err := tmpl.Execute(&html, fortunes); err != nil {
			log.Print(err)
			http.Error(w, "the page cannot be rendered", http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		html.WriteTo(w)
	})
	return router, nil
}
