package main

import (
	"fmt"
	"log"
	"net/http"

	"github.com/julienschmidt/httprouter"
)

func newSessionCounter() (http.Handler, error) {
	store, err := openTableStore()
	if err != nil {
		return nil, err
	}
	router := httprouter.New()
	router.GET("/", func(w http.ResponseWriter, r *http.Request, _ httprouter.Params) {
		count, err := countVisit(store, w, r)
		if err != nil {
			log.Print(err)
			http.Error(w, "the visit cannot be counted", http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		fmt.Fprintf(w, "Count is %d", count)
	})
	return router, nil
}

// countVisit counts a visit in the request's session, which it writes.
func countVisit(store *tableStore, w http.ResponseWriter, r *http.Request) (int64, error) {
	session, err := store.Get(r, "session")
	if err != nil {
		return 0, err
	}
	held, _ := session.Values["count"].(float64) // as encoding/json reads a number
	count := int64(held) + 1
	session.Values["count"] = count
	return count, session.Save(r, w)
}
