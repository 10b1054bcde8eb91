package main

import (
	"net/http"

	"github.com/beego/beego/v2/server/web"
)

type streamController struct{ web.Controller }

func (c *streamController) Get() {
	count, tag := pieces(c.GetString("n")), c.GetString("tag")
	if count == 0 || !wholeTag.MatchString(tag) {
		c.CustomAbort(http.StatusBadRequest, "n must be 1 to 65536, tag have 18 digits")
	}
	c.Ctx.Output.Header("Content-Type", "text/plain; charset=utf-8")
	piece := make([]byte, 0, pieceBytes)
	for number := range count {
		if _, err := c.Ctx.ResponseWriter.Write(appendPiece(piece, number, tag)); err != nil {
			return // The client is gone.
		}
	}
}

func mountStream() error {
	web.Router("/stream", &streamController{})
	return nil
}
