package main

import "github.com/beego/beego/v2/server/web"

type helloController struct{ web.Controller }

func (c *helloController) Get() {
	c.Ctx.WriteString("Hello World")
}

func mountHello() error {
	web.Router("/hello", &helloController{})
	return nil
}
