package main

import (
	"database/sql"
	"errors"
	"net/http"

	"github.com/beego/beego/v2/core/logs"
	"github.com/beego/beego/v2/server/web"
)

type skuController struct {
	web.Controller
	Lookup *lookup
}

func (c *skuController) Get() {
	query := c.Ctx.Request.URL.Query()
	id := query.Get("id")
	if !query.Has("id") {
		id = c.Lookup.draw()
	}
	sku, err := c.Lookup.find(c.Ctx.Request.Context(), id)
	if errors.Is(err, sql.ErrNoRows) {
		c.CustomAbort(http.StatusNotFound, "no such row")
	}
	if err != nil {
		logs.Error(err)
		c.CustomAbort(http.StatusInternalServerError, "the row cannot be read")
	}
	c.Ctx.Output.Header("Content-Type", "text/plain; charset=utf-8")
	c.Ctx.WriteString(sku)
}

func mountPointLookup() error {
	skus, err := openLookup()
	if err != nil {
		return err
	}
	web.Router("/sku", &skuController{Lookup: skus})
	return nil
}
