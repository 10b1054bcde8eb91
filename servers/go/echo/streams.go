package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/gorilla/websocket"
	"github.com/labstack/echo/v5"
)

const (
	// largestUpload is the length of the longest body that is taken, in bytes.
	largestUpload = 64 << 20
	// longestMessage is the length of the longest message that is taken, in bytes.
	longestMessage = 1 << 20
)

var upgrader websocket.Upgrader

func mountUpload(app *echo.Echo) error {
	app.POST("/upload", func(c *echo.Context) error {
		hash := sha256.New()
		body := http.MaxBytesReader(c.Response(), c.Request().Body, largestUpload)
		length, err := io.Copy(hash, body)
		if err != nil {
			return echo.ErrBadRequest.Wrap(err)
		}
		return c.String(http.StatusOK, fmt.Sprintf("sha256:%x %d", hash.Sum(nil), length))
	})
	return nil
}

func mountStream(app *echo.Echo) error {
	app.GET("/stream", func(c *echo.Context) error {
		count, tag := pieces(c.QueryParam("n")), c.QueryParam("tag")
		if count == 0 || !wholeTag.MatchString(tag) {
			return echo.NewHTTPError(http.StatusBadRequest, "n must be 1 to 65536, tag have 18 digits")
		}
		c.Response().Header().Set(echo.HeaderContentType, echo.MIMETextPlainCharsetUTF8)
		c.Response().WriteHeader(http.StatusOK)
		writePieces(c.Response(), count, tag) // It fails where the client went away.
		return nil
	})
	return nil
}

func mountSSE(app *echo.Echo) error {
	app.GET("/events", func(c *echo.Context) error {
		gap := c.QueryParam("gap")
		if !c.QueryParams().Has("gap") {
			gap = "0"
		}
		wanted, ok := readWanted(c.QueryParam("n"), c.QueryParam("tag"), gap,
			c.Request().Header.Get("Last-Event-ID"))
		if !ok {
			return echo.NewHTTPError(http.StatusBadRequest, "n must be 1 to 10000, tag have 18 digits")
		}
		if wanted.last == wanted.count {
			return c.NoContent(http.StatusNoContent)
		}
		c.Response().Header().Set(echo.HeaderContentType, "text/event-stream")
		c.Response().Header().Set(echo.HeaderCacheControl, "no-cache")
		return pushEvents(c.Request().Context(), c.Response(), wanted)
	})
	return nil
}

// pushEvents makes event after event, each flushed before the next, until the client leaves.
func pushEvents(ctx context.Context, w http.ResponseWriter, wanted wantedEvents) error {
	controller := http.NewResponseController(w)
	for number := wanted.last + 1; number <= wanted.count; number++ {
		if wanted.gap > 0 && number > wanted.last+1 {
			select {
			case <-ctx.Done():
				return nil
			case <-time.After(wanted.gap):
			}
		}
		text, err := wanted.text(number)
		if err != nil {
			return err
		}
		if _, err := io.WriteString(w, text); err != nil {
			return nil // The client went away.
		}
		if controller.Flush() != nil {
			return nil
		}
	}
	return nil
}

func mountWebSocketEcho(app *echo.Echo) error {
	app.GET("/ws", func(c *echo.Context) error {
		connection, err := upgrader.Upgrade(c.Response(), c.Request(), nil)
		if err != nil {
			return nil // Upgrade has answered why.
		}
		defer connection.Close()
		connection.SetReadLimit(longestMessage)
		for {
			// Reading also answers pings and the client's close, after which it fails.
			kind, message, err := connection.ReadMessage()
			if err != nil {
				return nil
			}
			if err := connection.WriteMessage(kind, message); err != nil {
				return nil
			}
		}
	})
	return nil
}
