package main

import (
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/gofiber/fiber/v3"
)

func mountCached(app *fiber.App) error {
	kept, err := keptFor()
	if err != nil {
		return err
	}
	pool, err := openPostgres()
	if err != nil {
		return err
	}
	cache := newWorldCache(pool, kept)
	app.Get("/cached", func(c fiber.Ctx) error {
		worlds, err := cache.read(c.Context(), clampedRows(c.Query("n")))
		if err != nil {
			return err
		}
		return c.JSON(worlds)
	})
	return nil
}

// keptFor is how long WEBDYNO_TTL_MS has a row kept.
func keptFor() (time.Duration, error) {
	text := os.Getenv("WEBDYNO_TTL_MS")
	if text == "" {
		return 500 * time.Millisecond, nil
	}
	number, err := strconv.Atoi(text)
	if err != nil || number < 1 {
		return 0, fmt.Errorf("WEBDYNO_TTL_MS is %q: set it to a number above 0", text)
	}
	return time.Duration(number) * time.Millisecond, nil
}
