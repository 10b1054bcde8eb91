package main

import (
	"encoding/json"
	"log"
	"net/http"
)

func newUpdates() (http.Handler, error) {
	pool, err := openPostgres()
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /updates", func(w http.ResponseWriter, r *http.Request) {
		items, err := countItems(r.Context(), pool, clampedRows(r.URL.Query().Get("n")))
		if err != nil {
			log.Print(err)
			http.Error(w, "the rows cannot be counted", http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(items)
	})
	return mux, nil
}
