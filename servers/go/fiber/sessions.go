package main

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/gofiber/fiber/v3"
	"github.com/gofiber/fiber/v3/middleware/encryptcookie"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

const sessionCookie = "session"

func mountSessionCounter(app *fiber.App) error {
	secret, err := requireEnv("WEBDYNO_SECRET")
	if err != nil {
		return err
	}
	pool, err := openPostgres()
	if err != nil {
		return err
	}
	// The middleware wants a key of 32 bytes, whatever the secret's length.
	key := sha256.Sum256([]byte(secret))
	app.Use(encryptcookie.New(encryptcookie.Config{Key: base64.StdEncoding.EncodeToString(key[:])}))
	app.Get("/", func(c fiber.Ctx) error {
		// Empty where there is no cookie, or one that was not encrypted here.
		uid := c.Cookies(sessionCookie)
		if uid == "" {
			uid = rand.Text()
			c.Cookie(&fiber.Cookie{
				Name: sessionCookie, Value: uid, Path: "/",
				HTTPOnly: true, SameSite: fiber.CookieSameSiteLaxMode,
			})
		}
		count, err := countVisit(c.Context(), pool, uid)
		if err != nil {
			return err
		}
		return c.SendString(fmt.Sprintf("Count is %d", count))
	})
	return nil
}

// countVisit counts a visit in the row of a session, which the first visit inserts.
func countVisit(ctx context.Context, pool *pgxpool.Pool, uid string) (int64, error) {
	var visits struct {
		Count int64 `json:"count"`
	}
	statement := "UPDATE usersessions SET data = $2 WHERE uid = $1"
	var held []byte
	err := pool.QueryRow(ctx, "SELECT data FROM usersessions WHERE uid = $1", uid).Scan(&held)
	if errors.Is(err, pgx.ErrNoRows) {
		statement = "INSERT INTO usersessions (uid, data) VALUES ($1, $2)"
	} else if err != nil {
		return 0, err
	} else if err := json.Unmarshal(held, &visits); err != nil {
		return 0, err
	}
	visits.Count++
	data, err := json.Marshal(visits)
	if err != nil {
		return 0, err
	}
	_, err = pool.Exec(ctx, statement, uid, string(data))
	return visits.Count, err
}
