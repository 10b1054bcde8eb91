package main

import (
	"encoding/json"
	"math/rand/v2"
	"net/http"

	"github.com/julienschmidt/httprouter"
)

// numbers is a struct because encoding/json sorts the keys of a map, which would put
// "Test Number 10" second.
type numbers struct {
	Number1  int `json:"Test Number 1"`
	Number2  int `json:"Test Number 2"`
	Number3  int `json:"Test Number 3"`
	Number4  int `json:"Test Number 4"`
	Number5  int `json:"Test Number 5"`
	Number6  int `json:"Test Number 6"`
	Number7  int `json:"Test Number 7"`
	Number8  int `json:"Test Number 8"`
	Number9  int `json:"Test Number 9"`
	Number10 int `json:"Test Number 10"`
}

func drawNumbers() numbers {
	draw := func() int { return rand.IntN(1001) }
	return numbers{
		draw(), draw(), draw(), draw(), draw(),
		draw(), draw(), draw(), draw(), draw(),
	}
}

func newJSON() (http.Handler, error) {
	router := httprouter.New()
	router.GET("/json", func(w http.ResponseWriter, r *http.Request, _ httprouter.Params) {
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(drawNumbers())
	})
	return router, nil
}
