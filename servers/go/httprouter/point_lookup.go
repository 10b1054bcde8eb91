package main

import (
	"database/sql"
	"errors"
	"io"
	"log"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/julienschmidt/httprouter"
)

func newPointLookup() (http.Handler, error) {
	skus, err := requireEnv("WEBDYNO_SKUS")
	if err != nil {
		return nil, err
	}
	candidates := strings.Split(skus, ",")
	db, err := openMySQL()
	if err != nil {
		return nil, err
	}
	// A prepared statement of database/sql prepares itself on each connection that it comes to.
	lookup, err := db.Prepare("SELECT sku_id FROM purch_sku_master WHERE sku_id = ?")
	if err != nil {
		return nil, err
	}
	router := httprouter.New()
	router.GET("/sku", func(w http.ResponseWriter, r *http.Request, _ httprouter.Params) {
		query := r.URL.Query()
		id := query.Get("id")
		if !query.Has("id") {
			id = candidates[rand.IntN(len(candidates))]
		}
		var sku string
		err := lookup.QueryRowContext(r.Context(), id).Scan(&sku)
		if errors.Is(err, sql.ErrNoRows) {
			http.NotFound(w, r)
			return
		}
		if err != nil {
			log.Print(err)
			http.Error(w, "the row cannot be read", http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		io.WriteString(w, sku)
	})
	return router, nil
}

// openMySQL opens a pool of WEBDYNO_POOL connections to the database that the environment names.
func openMySQL() (*sql.DB, error) {
	connections, err := poolSize()
	if err != nil {
		return nil, err
	}
	config := mysql.NewConfig()
	config.Net = "tcp"
	config.Passwd = os.Getenv("MYSQL_PASSWORD")
	var host, port string
	for name, value := range map[string]*string{
		"MYSQL_HOST":     &host,
		"MYSQL_PORT":     &port,
		"MYSQL_USER":     &config.User,
		"MYSQL_DATABASE": &config.DBName,
	} {
		if *value, err = requireEnv(name); err != nil {
			return nil, err
		}
	}
	config.Addr = net.JoinHostPort(host, port)
	connector, err := mysql.NewConnector(config)
	if err != nil {
		return nil, err
	}
	db := sql.OpenDB(connector)
	db.SetMaxOpenConns(connections)
	// By default two idle ones are kept and the others closed, only to be opened again.
	db.SetMaxIdleConns(connections)
	db.SetConnMaxIdleTime(5 * time.Minute)
	return db, nil
}
