package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/go-chi/chi/v5"
)

const (
	mostEvents   = 10_000
	longestGapMs = 1000
)

type pushedEvent struct {
	Number int    `json:"number"`
	Tag    string `json:"tag"`
	Made   int64  `json:"made"`
}

// wantedEvents is what a client asks for: the events after last up to count.
type wantedEvents struct {
	last, count int
	tag         string
	gap         time.Duration
}

func newSSE() (http.Handler, error) {
	router := chi.NewRouter()
	router.Get("/events", func(w http.ResponseWriter, r *http.Request) {
		wanted, ok := readWanted(r)
		switch {
		case !ok:
			http.Error(w, "n must be 1 to 10000, tag have 18 digits", http.StatusBadRequest)
		case wanted.last == wanted.count:
			w.WriteHeader(http.StatusNoContent)
		default:
			w.Header().Set("Content-Type", "text/event-stream")
			w.Header().Set("Cache-Control", "no-cache")
			pushEvents(w, r, wanted)
		}
	})
	return router, nil
}

// readWanted reads the parameters of a request; it is not ok where one of them is none.
func readWanted(r *http.Request) (wanted wantedEvents, ok bool) {
	query := r.URL.Query()
	count := upTo(query.Get("n"), mostEvents)
	gap := 0
	if query.Has("gap") {
		gap = upTo(query.Get("gap"), longestGapMs)
	}
	last := upTo(cmp.Or(r.Header.Get("Last-Event-ID"), "0"), count)
	tag := query.Get("tag")
	ok = count >= 1 && gap >= 0 && last >= 0 && wholeTag.MatchString(tag)
	return wantedEvents{last, count, tag, time.Duration(gap) * time.Millisecond}, ok
}

// upTo is the number of 0 to most that the text is; -1 where it is none.
func upTo(text string, most int) int {
	number, err := strconv.Atoi(text)
	if err != nil || !wholeNumber.MatchString(text) || number > most {
		return -1
	}
	return number
}

// pushEvents makes event after event, each flushed before the next, until the client leaves.
func pushEvents(w http.ResponseWriter, r *http.Request, wanted wantedEvents) {
	controller := http.NewResponseController(w)
	for number := wanted.last + 1; number <= wanted.count; number++ {
		if wanted.gap > 0 && number > wanted.last+1 {
			select {
			case <-r.Context().Done():
				return
			case <-time.After(wanted.gap):
			}
		}
		data, err := json.Marshal(pushedEvent{number, wanted.tag, time.Now().UnixMicro()})
		if err != nil {
			return // A number and a text can always be written.
		}
		if _, err := fmt.Fprintf(w, "id: %d\ndata: %s\n\n", number, data); err != nil {
			return // The client went away.
		}
		if controller.Flush() != nil {
			return
		}
	}
}
