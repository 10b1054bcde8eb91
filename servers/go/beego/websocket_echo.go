package main

import (
	"github.com/beego/beego/v2/server/web"
	"github.com/gorilla/websocket"
)

// longestMessage is the length of the longest message that is taken, in bytes.
const longestMessage = 1 << 20

var upgrader websocket.Upgrader

type echoController struct{ web.Controller }

func (c *echoController) Get() {
	c.EnableRender = false
	connection, err := upgrader.Upgrade(c.Ctx.ResponseWriter, c.Ctx.Request, nil)
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
}

func mountWebSocketEcho() error {
	web.Router("/ws", &echoController{})
	return nil
}
