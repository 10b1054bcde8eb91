package main

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"os"
	"strconv"

	"github.com/beego/beego/v2/core/logs"
	"github.com/beego/beego/v2/server/web"
)

type digestController struct {
	web.Controller
	Path string
}

func (c *digestController) Get() {
	n, err := strconv.ParseUint(c.GetString("n"), 10, 32)
	if err != nil || n < 1 || n > 100_000 {
		c.CustomAbort(http.StatusBadRequest, "n must be an integer from 1 to 100000")
	}
	content, err := os.ReadFile(c.Path)
	if err != nil {
		logs.Error(err)
		c.CustomAbort(http.StatusInternalServerError, "the file cannot be read")
	}
	c.Ctx.WriteString(hex.EncodeToString(digestChain(content, n)))
}

func mountSHA256() error {
	path, err := requireEnv("WEBDYNO_FILE")
	if err != nil {
		return err
	}
	web.Router("/benchmark", &digestController{Path: path})
	return nil
}

// digestChain returns the n-th digest: the first is that of content, each further one that of
// content followed by the digest before it.
func digestChain(content []byte, n uint64) []byte {
	hash := sha256.New()
	var digest []byte
	for range n {
		hash.Reset()
		hash.Write(content)
		hash.Write(digest)
		digest = hash.Sum(digest[:0])
	}
	return digest
}
