package main

import (
	"net/http"

	"github.com/beego/beego/v2/core/logs"
	"github.com/beego/beego/v2/server/web"
	"github.com/jackc/pgx/v5/pgxpool"
)

type fortunesController struct {
	web.Controller
	Pool *pgxpool.Pool
}

func (c *fortunesController) Get() {
	added := c.GetString("added")
	if added == "" {
		c.CustomAbort(http.StatusBadRequest, "added must be a text")
	}
	fortunes, err := readFortunes(c.Ctx.Request.Context(), c.Pool, added)
	if err != nil {
		logs.Error(err)
		c.CustomAbort(http.StatusInternalServerError, "the rows cannot be read")
	}
	c.Data["fortunes"] = fortunes
	c.TplName = "fortunes.tpl"
}

func mountFortunes() error {
	pool, err := openPostgres()
	if err != nil {
		return err
	}
	web.Router("/fortunes", &fortunesController{Pool: pool})
	return nil
}
