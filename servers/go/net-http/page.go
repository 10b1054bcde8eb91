package main

import (
	"bytes"
	_ "embed"
	"html/template"
	"log"
	"net/http"
)

//go:embed templates/page.html
var pageTemplate string

func newPage() (http.Handler, error) {
	pool, err := openPostgres()
	if err != nil {
		return nil, err
	}
	tmpl, err := template.New("page").Parse(pageTemplate)
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /page", func(w http.ResponseWriter, r *http.Request) {
		articles, err := readArticles(r.Context(), pool)
		if err != nil {
			log.Print(err)
			http.Error(w, "the rows cannot be read", http.StatusInternalServerError)
			return
		}
		// Rendered to memory first: an error must not follow half a page sent as 200.
		var html bytes.Buffer
		if err := tmpl.Execute(&html, articles); err != nil {
			log.Print(err)
			http.Error(w, "the page cannot be rendered", http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		html.WriteTo(w)
	})
	return mux, nil
}
