package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/gorilla/securecookie"
	"github.com/gorilla/sessions"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

const month = 30 * 24 * 60 * 60 // seconds

// A tableStore keeps sessions of gorilla/sessions in the table usersessions: the id in uid, the
// values as JSON in data. The cookie holds the id alone, signed. The existing stores bring
// tables of their own.
type tableStore struct {
	pool    *pgxpool.Pool
	codecs  []securecookie.Codec
	options sessions.Options
}

// openTableStore connects to the database; WEBDYNO_SECRET signs the cookies.
func openTableStore() (*tableStore, error) {
	secret, err := requireEnv("WEBDYNO_SECRET")
	if err != nil {
		return nil, err
	}
	pool, err := openPostgres()
	if err != nil {
		return nil, err
	}
	return &tableStore{
		pool:    pool,
		codecs:  securecookie.CodecsFromPairs([]byte(secret)),
		options: sessions.Options{Path: "/", MaxAge: month, HttpOnly: true, SameSite: http.SameSiteLaxMode},
	}, nil
}

// Get returns the request's session, which is read at most once.
func (s *tableStore) Get(r *http.Request, name string) (*sessions.Session, error) {
	return sessions.GetRegistry(r).Get(s, name)
}

// New reads the session that the cookie names. It is a new one where there is no such cookie, its
// signature does not fit, or its row is gone.
func (s *tableStore) New(r *http.Request, name string) (*sessions.Session, error) {
	session := sessions.NewSession(s, name)
	options := s.options
	session.Options = &options
	session.IsNew = true
	cookie, err := r.Cookie(name)
	if err != nil {
		return session, nil
	}
	var uid string
	if securecookie.DecodeMulti(name, cookie.Value, &uid, s.codecs...) != nil {
		return session, nil
	}
	values, err := s.read(r.Context(), uid)
	if errors.Is(err, pgx.ErrNoRows) {
		return session, nil
	}
	if err != nil {
		return session, err
	}
	for key, value := range values {
		session.Values[key] = value
	}
	session.ID = uid
	session.IsNew = false
	return session, nil
}

func (s *tableStore) read(ctx context.Context, uid string) (values map[string]any, err error) {
	var data []byte
	err = s.pool.QueryRow(ctx, "SELECT data FROM usersessions WHERE uid = $1", uid).Scan(&data)
	if err != nil {
		return nil, err
	}
	err = json.Unmarshal(data, &values)
	return values, err
}

// Save writes the session's row and its cookie.
func (s *tableStore) Save(r *http.Request, w http.ResponseWriter, session *sessions.Session) error {
	values := make(map[string]any, len(session.Values))
	for key, value := range session.Values {
		values[fmt.Sprint(key)] = value
	}
	data, err := json.Marshal(values)
	if err != nil {
		return err
	}
	statement := "UPDATE usersessions SET data = $2 WHERE uid = $1"
	if session.IsNew {
		session.ID = rand.Text()
		statement = "INSERT INTO usersessions (uid, data) VALUES ($1, $2)"
	}
	if _, err := s.pool.Exec(r.Context(), statement, session.ID, string(data)); err != nil {
		return err
	}
	value, err := securecookie.EncodeMulti(session.Name(), session.ID, s.codecs...)
	if err != nil {
		return err
	}
	http.SetCookie(w, sessions.NewCookie(session.Name(), value, session.Options))
	return nil
}
