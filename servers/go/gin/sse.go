package main

import (
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/gin-contrib/sse"
	"github.com/gin-gonic/gin"
)

func newSSE() (http.Handler, error) {
	router := gin.New()
	router.GET("/events", func(c *gin.Context) {
		wanted, ok := readWanted(
			c.Query("n"), c.Query("tag"), c.DefaultQuery("gap", "0"), c.GetHeader("Last-Event-ID"))
		switch {
		case !ok:
			c.String(http.StatusBadRequest, "n must be 1 to 10000, tag have 18 digits")
		case wanted.last == wanted.count:
			c.Status(http.StatusNoContent)
		default:
			pushEvents(c, wanted)
		}
	})
	return router, nil
}

// pushEvents makes event after event; Gin flushes each, and stops when the client leaves.
func pushEvents(c *gin.Context, wanted wantedEvents) {
	number := wanted.last
	c.Stream(func(io.Writer) bool {
		if wanted.gap > 0 && number > wanted.last {
			select {
			case <-c.Request.Context().Done():
				return false
			case <-time.After(wanted.gap):
			}
		}
		number++
		c.Render(-1, sse.Event{
			Id:   strconv.Itoa(number),
			Data: pushedEvent{number, wanted.tag, time.Now().UnixMicro()},
		})
		return number < wanted.count
	})
}
