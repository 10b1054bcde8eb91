package main

import (
	"bufio"
	"crypto/sha256"
	"fmt"
	"io"
	"strings"

	"github.com/gofiber/contrib/v3/websocket"
	"github.com/gofiber/fiber/v3"
)

const (
	// largestUpload is the length of the longest body that is taken, in bytes.
	largestUpload = 64 << 20
	// longestMessage is the length of the longest message that is taken, in bytes.
	longestMessage = 1 << 20
)

func mountUpload(app *fiber.App) error {
	app.Post("/upload", func(c fiber.Ctx) error {
		hash := sha256.New()
		length := int64(0)
		// There is no stream where a body is empty.
		if body := c.Request().BodyStream(); body != nil {
			var err error
			length, err = io.Copy(hash, io.LimitReader(body, largestUpload+1))
			if err != nil {
				return fiber.ErrBadRequest
			}
			if length > largestUpload {
				return fiber.ErrRequestEntityTooLarge
			}
		}
		return c.SendString(fmt.Sprintf("sha256:%x %d", hash.Sum(nil), length))
	})
	return nil
}

func mountStream(app *fiber.App) error {
	app.Get("/stream", func(c fiber.Ctx) error {
		// A copy: the stream is written after the handler has returned, and its texts are used again.
		count, tag := pieces(c.Query("n")), strings.Clone(c.Query("tag"))
		if count == 0 || !wholeTag.MatchString(tag) {
			return fiber.NewError(fiber.StatusBadRequest, "n must be 1 to 65536, tag have 18 digits")
		}
		c.Set(fiber.HeaderContentType, fiber.MIMETextPlainCharsetUTF8)
		return c.SendStreamWriter(func(w *bufio.Writer) {
			writePieces(w, count, tag) // It fails where the client went away.
		})
	})
	return nil
}

func mountWebSocketEcho(app *fiber.App) error {
	app.Get("/ws", websocket.New(func(c *websocket.Conn) {
		c.SetReadLimit(longestMessage)
		for {
			// Reading also answers pings and the client's close, after which it fails.
			kind, message, err := c.ReadMessage()
			if err != nil {
				return
			}
			if err := c.WriteMessage(kind, message); err != nil {
				return
			}
		}
	}))
	return nil
}
