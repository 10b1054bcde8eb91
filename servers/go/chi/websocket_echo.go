package main

import (
	"net/http"

	"github.com/coder/websocket"
	"github.com/go-chi/chi/v5"
)

// longestMessage is the length of the longest message that is taken, in bytes.
const longestMessage = 1 << 20

func newWebSocketEcho() (http.Handler, error) {
	router := chi.NewRouter()
	router.Get("/ws", func(w http.ResponseWriter, r *http.Request) {
		connection, err := websocket.Accept(w, r, nil)
		if err != nil {
			return // Accept has answered why.
		}
		defer connection.CloseNow()
		connection.SetReadLimit(longestMessage)
		for {
			// Reading also answers pings and the client's close, after which it fails.
			kind, message, err := connection.Read(r.Context())
			if err != nil {
				return
			}
			if err := connection.Write(r.Context(), kind, message); err != nil {
				return
			}
		}
	})
	return router, nil
}
