package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"strconv"
	"time"

	"github.com/go-chi/chi/v5"
)

func newCached() (http.Handler, error) {
	kept, err := keptFor()
	if err != nil {
		return nil, err
	}
	pool, err := openPostgres()
	if err != nil {
		return nil, err
	}
	cache := newWorldCache(pool, kept)
	router := chi.NewRouter()
	router.Get("/cached", func(w http.ResponseWriter, r *http.Request) {
		worlds, err := cache.read(r.Context(), clampedRows(r.URL.Query().Get("n")))
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

// keptFor is how long WEBDYNO_TTL_MS has a row kept.
func keptFor() (time.Duration, error) {
	text := os.Getenv("WEBDYNO_TTL_MS")
	if text == "" {
		return 500 * time.Millisecond, nil
	}
	number, err := strconv.Atoi(text)
	if err != nil || number < 1 {
		return 0, fmt.Errorf("WEBDYNO_TTL_MS is %q: set it to a number above 0", text)
	}
	return time.Duration(number) * time.Millisecond, nil
}
