package main

import (
	"net/http"

	"github.com/beego/beego/v2/core/logs"
	"github.com/beego/beego/v2/server/web"
	"github.com/jackc/pgx/v5/pgxpool"
)

type pageController struct {
	web.Controller
	Pool *pgxpool.Pool
}

func (c *pageController) Get() {
	articles, err := readArticles(c.Ctx.Request.Context(), c.Pool)
	if err != nil {
		logs.Error(err)
		c.CustomAbort(http.StatusInternalServerError, "the rows cannot be read")
	}
	c.Data["articles"] = articles
	c.TplName = "page.tpl"
}

func mountPage() error {
	pool, err := openPostgres()
	if err != nil {
		return err
	}
	web.Router("/page", &pageController{Pool: pool})
	return nil
}
