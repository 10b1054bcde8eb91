package main

import (
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"
)

const (
	pieceBytes = 4096
	mostPieces = 65_536
)

var (
	wholeNumber = regexp.MustCompile(`^[0-9]{1,5}$`)
	wholeTag    = regexp.MustCompile(`^[0-9]{18}$`)
)

func newStream() (http.Handler, error) {
	router := chi.NewRouter()
	router.Get("/stream", func(w http.ResponseWriter, r *http.Request) {
		query := r.URL.Query()
		count, tag := pieces(query.Get("n")), query.Get("tag")
		if count == 0 || !wholeTag.MatchString(tag) {
			http.Error(w, "n must be 1 to 65536, tag have 18 digits", http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		writePieces(w, count, tag)
	})
	return router, nil
}

// pieces is how many pieces the text asks for; 0 where it is no number of 1 to mostPieces.
func pieces(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil || !wholeNumber.MatchString(text) || n > mostPieces {
		return 0
	}
	return n
}

// writePieces makes piece after piece; a write waits until the connection can take it.
func writePieces(w http.ResponseWriter, count int, tag string) {
	dots := []byte(strings.Repeat(".", pieceBytes-1) + "\n")
	piece := make([]byte, 0, pieceBytes)
	for number := range count {
		piece = fmt.Appendf(piece[:0], "%010d %s %016d ", number, tag, time.Now().UnixMicro())
		piece = append(piece, dots[len(piece):]...)
		if _, err := w.Write(piece); err != nil {
			return // The client went away.
		}
	}
}
