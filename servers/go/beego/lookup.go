package main

import (
	"context"
	"database/sql"
	"math/rand/v2"
	"net"
	"os"
	"strings"
	"time"

	"github.com/go-sql-driver/mysql"
)

// A lookup finds rows of the table purch_sku_master by their sku_id.
type lookup struct {
	statement  *sql.Stmt
	candidates []string
}

// openLookup connects to the database that the environment names.
func openLookup() (*lookup, error) {
	skus, err := requireEnv("WEBDYNO_SKUS")
	if err != nil {
		return nil, err
	}
	db, err := openMySQL()
	if err != nil {
		return nil, err
	}
	// A prepared statement of database/sql prepares itself on each connection that it comes to.
	statement, err := db.Prepare("SELECT sku_id FROM purch_sku_master WHERE sku_id = ?")
	if err != nil {
		return nil, err
	}
	return &lookup{statement, strings.Split(skus, ",")}, nil
}

// draw returns one of the ids that a request without one asks for.
func (l *lookup) draw() string {
	return l.candidates[rand.IntN(len(l.candidates))]
}

// find returns the sku_id of a row as it is stored; sql.ErrNoRows where there is no such row.
func (l *lookup) find(ctx context.Context, id string) (sku string, err error) {
	err = l.statement.QueryRowContext(ctx, id).Scan(&sku)
	return sku, err
}

// openMySQL opens a pool of WEBDYNO_POOL connections.
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
