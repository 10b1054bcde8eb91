package main

import (
	"path/filepath"

	"github.com/beego/beego/v2/server/web"
)

type blogController struct {
	web.Controller
	Library *library
}

func (c *blogController) Get() {
	c.Data["posts"] = c.Library.drawPage()
	c.TplName = "blog.tpl"
}

func mountBlog() error {
	folder, err := requireEnv("WEBDYNO_BLOG_DATA")
	if err != nil {
		return err
	}
	posts, err := loadLibrary(folder)
	if err != nil {
		return err
	}
	web.Router("/blog", &blogController{Library: posts})
	static := filepath.Join(folder, "static")
	web.SetStaticPath("/images", filepath.Join(static, "images"))
	web.SetStaticPath("/css", filepath.Join(static, "css"))
	return nil
}
