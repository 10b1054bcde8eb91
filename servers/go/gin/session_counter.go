package main

import (
	"log"
	"net/http"

	"github.com/gin-contrib/sessions"
	"github.com/gin-gonic/gin"
)

// A ginStore is a store as gin-contrib/sessions asks for it.
type ginStore struct{ *tableStore }

// Options sets the options of the cookies.
func (s ginStore) Options(options sessions.Options) {
	s.options = *options.ToGorillaOptions()
}

func newSessionCounter() (http.Handler, error) {
	store, err := openTableStore()
	if err != nil {
		return nil, err
	}
	router := gin.New()
	router.Use(sessions.Sessions("session", ginStore{store}))
	router.GET("/", func(c *gin.Context) {
		session := sessions.Default(c)
		held, _ := session.Get("count").(float64) // as encoding/json reads a number
		count := int64(held) + 1
		session.Set("count", count)
		if err := session.Save(); err != nil {
			log.Print(err)
			c.String(http.StatusInternalServerError, "the visit cannot be counted")
			return
		}
		c.String(http.StatusOK, "Count is %d", count)
	})
	return router, nil
}
