package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/beego/beego/v2/server/web"
)

type eventsController struct{ web.Controller }

func (c *eventsController) Get() {
	query := c.Ctx.Request.URL.Query()
	gap := query.Get("gap")
	if !query.Has("gap") {
		gap = "0"
	}
	wanted, ok := readWanted(
		c.GetString("n"), c.GetString("tag"), gap, c.Ctx.Input.Header("Last-Event-ID"))
	switch {
	case !ok:
		c.CustomAbort(http.StatusBadRequest, "n must be 1 to 10000, tag have 18 digits")
	case wanted.last == wanted.count:
		c.Ctx.ResponseWriter.WriteHeader(http.StatusNoContent)
	default:
		c.push(wanted)
	}
}

// push makes event after event and flushes each; it stops when the client leaves.
func (c *eventsController) push(wanted wantedEvents) {
	c.Ctx.Output.Header("Content-Type", "text/event-stream")
	c.Ctx.Output.Header("Cache-Control", "no-cache")
	for number := wanted.last + 1; number <= wanted.count; number++ {
		if wanted.gap > 0 && number > wanted.last+1 {
			select {
			case <-c.Ctx.Request.Context().Done():
				return
			case <-time.After(wanted.gap):
			}
		}
		event, err := json.Marshal(pushedEvent{number, wanted.tag, time.Now().UnixMicro()})
		if err != nil {
			return
		}
		if _, err := fmt.Fprintf(c.Ctx.ResponseWriter, "id:%d\ndata:%s\n\n", number, event); err != nil {
			return
		}
		c.Ctx.ResponseWriter.Flush()
	}
}

func mountSSE() error {
	web.Router("/events", &eventsController{})
	return nil
}
