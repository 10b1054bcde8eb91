package main

import (
	"io"
	"net/http"

	"github.com/gin-gonic/gin"
)

func newStream() (http.Handler, error) {
	router := gin.New()
	router.GET("/stream", func(c *gin.Context) {
		count, tag := pieces(c.Query("n")), c.Query("tag")
		if count == 0 || !wholeTag.MatchString(tag) {
			c.String(http.StatusBadRequest, "n must be 1 to 65536, tag have 18 digits")
			return
		}
		c.Header("Content-Type", "text/plain; charset=utf-8")
		number := 0
		piece := make([]byte, 0, pieceBytes)
		c.Stream(func(w io.Writer) bool {
			_, err := w.Write(appendPiece(piece, number, tag))
			number++
			return err == nil && number < count
		})
	})
	return router, nil
}
