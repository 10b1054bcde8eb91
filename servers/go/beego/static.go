package main

import "github.com/beego/beego/v2/server/web"

func mountStatic() error {
	folder, err := requireEnv("WEBDYNO_STATIC")
	if err != nil {
		return err
	}
	web.SetStaticPath("/", folder)
	return nil
}
