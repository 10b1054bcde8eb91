package main

import (
	"net/http"

	"github.com/beego/beego/v2/core/logs"
	"github.com/beego/beego/v2/server/web"
	"github.com/jackc/pgx/v5/pgxpool"
)

type worldsController struct {
	web.Controller
	Pool *pgxpool.Pool
}

func (c *worldsController) Get() {
	worlds, err := readWorlds(c.Ctx.Request.Context(), c.Pool, clampedRows(c.GetString("n")))
	if err != nil {
		logs.Error(err)
		c.CustomAbort(http.StatusInternalServerError, "the rows cannot be read")
	}
	c.Data["json"] = worlds
	c.ServeJSON()
}

func mountQueries() error {
	pool, err := openPostgres()
	if err != nil {
		return err
	}
	web.Router("/queries", &worldsController{Pool: pool})
	return nil
}
