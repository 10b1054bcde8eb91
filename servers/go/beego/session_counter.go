package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"

	"github.com/beego/beego/v2/core/logs"
	"github.com/beego/beego/v2/server/web"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

const (
	cookieName = "session"
	month      = 30 * 24 * 60 * 60 // seconds
)

// A session is what the column data of the table usersessions holds.
type session struct {
	Count int64 `json:"count"`
}

type visitController struct {
	web.Controller
	Pool   *pgxpool.Pool
	Secret string
}

func (c *visitController) Get() {
	uid, _ := c.GetSecureCookie(c.Secret, cookieName)
	uid, count, err := countVisit(c.Ctx.Request.Context(), c.Pool, uid)
	if err != nil {
		logs.Error(err)
		c.CustomAbort(http.StatusInternalServerError, "the visit cannot be counted")
	}
	// Not secure, because the load comes without TLS; but for HTTP only.
	c.SetSecureCookie(c.Secret, cookieName, uid, month, "/", "", false, true)
	c.Ctx.WriteString("Count is " + strconv.FormatInt(count, 10))
}

// countVisit counts a visit in the session of uid, or in a new one where it has no row.
func countVisit(ctx context.Context, pool *pgxpool.Pool, uid string) (string, int64, error) {
	var data []byte
	var held session
	err := pool.QueryRow(ctx, "SELECT data FROM usersessions WHERE uid = $1", uid).Scan(&data)
	statement := "UPDATE usersessions SET data = $2 WHERE uid = $1"
	if errors.Is(err, pgx.ErrNoRows) {
		uid = rand.Text()
		statement = "INSERT INTO usersessions (uid, data) VALUES ($1, $2)"
	} else if err != nil {
		return "", 0, err
	} else if err := json.Unmarshal(data, &held); err != nil {
		return "", 0, err
	}
	held.Count++
	data, err = json.Marshal(held)
	if err != nil {
		return "", 0, err
	}
	_, err = pool.Exec(ctx, statement, uid, string(data))
	return uid, held.Count, err
}

func mountSessionCounter() error {
	secret, err := requireEnv("WEBDYNO_SECRET")
	if err != nil {
		return err
	}
	pool, err := openPostgres()
	if err != nil {
		return err
	}
	web.Router("/", &visitController{Pool: pool, Secret: secret})
	return nil
}
