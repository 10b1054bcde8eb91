package main

import (
	"io"
	"strings"
	"time"

	"github.com/gofiber/fiber/v3"
)

// eventStream is a stream that makes an event when it is read. fasthttp reads it again once it has
// written and flushed what it got, as a chunk of its own; of a SendStreamWriter it may put several
// events into one chunk.
type eventStream struct {
	wantedEvents
	made int // the number of the last event
	rest string
}

func (e *eventStream) Read(buffer []byte) (int, error) {
	if e.rest == "" {
		if e.made == e.count {
			return 0, io.EOF
		}
		if e.made > e.last {
			time.Sleep(e.gap)
		}
		e.made++
		var err error
		if e.rest, err = e.text(e.made); err != nil {
			return 0, err
		}
	}
	read := copy(buffer, e.rest)
	e.rest = e.rest[read:]
	return read, nil
}

func mountSSE(app *fiber.App) error {
	app.Get("/events", func(c fiber.Ctx) error {
		gap := c.Query("gap")
		if !c.Request().URI().QueryArgs().Has("gap") {
			gap = "0"
		}
		// A copy: the stream is read after the handler has returned, and its texts are used again.
		tag := strings.Clone(c.Query("tag"))
		wanted, ok := readWanted(c.Query("n"), tag, gap, c.Get("Last-Event-ID"))
		if !ok {
			return fiber.NewError(fiber.StatusBadRequest, "n must be 1 to 10000, tag have 18 digits")
		}
		if wanted.last == wanted.count {
			return c.SendStatus(fiber.StatusNoContent)
		}
		c.Set(fiber.HeaderContentType, "text/event-stream")
		c.Set(fiber.HeaderCacheControl, "no-cache")
		return c.SendStream(&eventStream{wantedEvents: wanted, made: wanted.last})
	})
	return nil
}
