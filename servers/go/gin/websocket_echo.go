package main

import (
	"net/http"

	"github.com/gin-gonic/gin"
	"github.com/gorilla/websocket"
)

// longestMessage is the length of the longest message that is taken, in bytes.
const longestMessage = 1 << 20

var upgrader websocket.Upgrader

func newWebSocketEcho() (http.Handler, error) {
	router := gin.New()
	router.GET("/ws", func(c *gin.Context) {
		connection, err := upgrader.Upgrade(c.Writer, c.Request, nil)
		if err != nil {
			return // Upgrade has answered why.
		}
		defer connection.Close()
		connection.SetReadLimit(longestMessage)
		for {
			// Reading also answers pings and the client's close, after which it fails.
			kind, message, err := connection.ReadMessage()
			if err != nil {
				return
			}
			if err := connection.WriteMessage(kind, message); err != nil {
				return
			}
		}
	})
	return router, nil
}
