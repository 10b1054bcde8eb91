package main

import (
	"github.com/beego/beego/v2/server/web"
	"github.com/beego/beego/v2/server/web/context"
)

// seen is Beego's to reach: it makes a controller anew for each request.
var seen counts

type countedHelloController struct{ web.Controller }

func (c *countedHelloController) Get() {
	seen.requests.Add(1)
	c.Ctx.Output.Header("Content-Type", "text/plain; charset=utf-8")
	c.Ctx.WriteString("Hello World")
}

type passedController struct{ web.Controller }

func (c *passedController) Get() {
	c.Data["json"] = seen.tally()
	c.ServeJSON()
}

func mountMiddleware() error {
	number, err := wantedMiddlewares()
	if err != nil {
		return err
	}
	for range number {
		web.InsertFilterChain("/*", func(next web.FilterFunc) web.FilterFunc {
			return func(ctx *context.Context) {
				seen.passed.Add(1)
				next(ctx)
			}
		})
	}
	web.Router("/hello", &countedHelloController{})
	web.Router("/passed", &passedController{})
	return nil
}
