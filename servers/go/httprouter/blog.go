package main

import (
	"bytes"
	_ "embed"
	"html/template"
	"log"
	"net/http"
	"path/filepath"

	"github.com/julienschmidt/httprouter"
)

//go:embed templates/blog.html
var blogTemplate string

func newBlog() (http.Handler, error) {
	folder, err := requireEnv("WEBDYNO_BLOG_DATA")
	if err != nil {
		return nil, err
	}
	lib, err := loadLibrary(folder)
	if err != nil {
		return nil, err
	}
	tmpl, err := template.New("blog").Parse(blogTemplate)
	if err != nil {
		return nil, err
	}

	router := httprouter.New()
	router.GET("/blog", func(w http.ResponseWriter, r *http.Request, _ httprouter.Params) {
		// Rendered to memory first: an error must not follow half a page sent as 200.
		var html bytes.Buffer
		if err := tmpl.Execute(&html, lib.drawPage()); err != nil {
			log.Print(err)
			http.Error(w, "the page cannot be rendered", http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		html.WriteTo(w)
	})
	for _, name := range []string{"images", "css"} {
		files := http.Dir(filepath.Join(folder, "static", name))
		router.ServeFiles("/"+name+"/*filepath", files)
	}
	return router, nil
}
