package main

import (
	"net/http"

	"github.com/beego/beego/v2/core/logs"
	"github.com/beego/beego/v2/server/web"
	"github.com/jackc/pgx/v5/pgxpool"
)

type stockController struct {
	web.Controller
	Pool *pgxpool.Pool
}

func (c *stockController) Post() {
	items, err := countItems(c.Ctx.Request.Context(), c.Pool, clampedRows(c.GetString("n")))
	if err != nil {
		logs.Error(err)
		c.CustomAbort(http.StatusInternalServerError, "the rows cannot be counted")
	}
	c.Data["json"] = items
	c.ServeJSON()
}

func mountUpdates() error {
	pool, err := openPostgres()
	if err != nil {
		return err
	}
	web.Router("/updates", &stockController{Pool: pool})
	return nil
}
