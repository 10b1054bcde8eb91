package main

import (
	"fmt"
	"net/http"
	"os"
	"strconv"
	"time"

	"github.com/beego/beego/v2/core/logs"
	"github.com/beego/beego/v2/server/web"
)

type cachedController struct {
	web.Controller
	Cache *worldCache
}

func (c *cachedController) Get() {
	worlds, err := c.Cache.read(c.Ctx.Request.Context(), clampedRows(c.GetString("n")))
	if err != nil {
		logs.Error(err)
		c.CustomAbort(http.StatusInternalServerError, "the rows cannot be read")
	}
	c.Data["json"] = worlds
	c.ServeJSON()
}

func mountCached() error {
	kept, err := keptFor()
	if err != nil {
		return err
	}
	pool, err := openPostgres()
	if err != nil {
		return err
	}
	web.Router("/cached", &cachedController{Cache: newWorldCache(pool, kept)})
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
