package main

import (
	"crypto/sha256"
	"fmt"
	"io"
	"net/http"

	"github.com/beego/beego/v2/core/logs"
	"github.com/beego/beego/v2/server/web"
	"github.com/beego/beego/v2/server/web/context"
)

// largestUpload is the length of the longest body that is taken, in bytes.
const largestUpload = 64 << 20

// upload answers a POST; any other request is left to Beego's routes, where there is none.
func upload(ctx *context.Context) {
	if ctx.Request.Method != http.MethodPost {
		return
	}
	hash := sha256.New()
	body := http.MaxBytesReader(ctx.ResponseWriter, ctx.Request.Body, largestUpload)
	length, err := io.Copy(hash, body)
	if err != nil {
		logs.Error(err)
		http.Error(ctx.ResponseWriter, "the body cannot be read", http.StatusBadRequest)
		return
	}
	ctx.Output.Header("Content-Type", "text/plain; charset=utf-8")
	ctx.WriteString(fmt.Sprintf("sha256:%x %d", hash.Sum(nil), length))
}

func mountUpload() error {
	// Between the static files and the routes Beego reads the bodies of forms, so it comes before.
	web.InsertFilter("/upload", web.BeforeStatic, upload)
	return nil
}
