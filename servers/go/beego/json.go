package main

import (
	"math/rand/v2"

	"github.com/beego/beego/v2/server/web"
)

// numbers is a struct because encoding/json sorts the keys of a map, which would put
// "Test Number 10" second.
type numbers struct {
	Number1  int `json:"Test Number 1"`
	Number2  int `json:"Test Number 2"`
	Number3  int `json:"Test Number 3"`
	Number4  int `json:"Test Number 4"`
	Number5  int `json:"Test Number 5"`
	Number6  int `json:"Test Number 6"`
	Number7  int `json:"Test Number 7"`
	Number8  int `json:"Test Number 8"`
	Number9  int `json:"Test Number 9"`
	Number10 int `json:"Test Number 10"`
}

func drawNumbers() numbers {
	draw := func() int { return rand.IntN(1001) }
	return numbers{
		draw(), draw(), draw(), draw(), draw(),
		draw(), draw(), draw(), draw(), draw(),
	}
}

type numbersController struct{ web.Controller }

func (c *numbersController) Get() {
	c.Data["json"] = drawNumbers()
	c.ServeJSON()
}

func mountJSON() error {
	web.Router("/json", &numbersController{})
	return nil
}
