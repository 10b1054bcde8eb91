package main

import (
	"fmt"
	"log"
	"net/http"
	"os"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"
)

func newCached() (http.Handler, error) {
	kept, err := keptFor()
	if err != nil {
		return nil, err
	}
	pool, err := openPostgres()
	if err != nil {
		return nil, err
	}
	cache := newWorldCache(pool, kept)
	router := gin.New()
	router.GET("/cached", func(c *gin.Context) {
		worlds, err := cache.read(c.Request.Context(), clampedRows(c.Query("n")))
		if err != nil {
			log.Print(err)
			c.String(http.StatusInternalServerError, "the rows cannot be read")
			return
		}
		c.JSON(http.StatusOK, worlds)
	})
	return router, nil
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
