package main

import (
	"encoding/json"
	"log"
	"net/http"

	"github.com/julienschmidt/httprouter"
)

func newQueries() (http.Handler, error) {
	pool, err := openPostgres()
	if err != nil {
		return nil, err
	}
	router := httprouter.New()
	router.GET("/queries", func(w http.ResponseWriter, r *http.Request, _ httprouter.Params) {
		worlds, err := readWorlds(r.Context(), pool, clampedRows(r.URL.Query().Get("n")))
		if err != nil {
			log.Print(err)
			http.Error(w, "the rows cannot be read", http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(worlds)
	})
	return router, nil
}
