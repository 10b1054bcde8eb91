package main

import (
	"context"
	"fmt"
	"os"
	"strconv"

	"github.com/jackc/pgx/v5/pgxpool"
)

// openPostgres opens a pool of WEBDYNO_POOL connections to the database that DATABASE_URL names.
func openPostgres() (*pgxpool.Pool, error) {
	url, err := requireEnv("DATABASE_URL")
	if err != nil {
		return nil, err
	}
	connections, err := poolSize()
	if err != nil {
		return nil, err
	}
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, err
	}
	config.MaxConns = int32(connections)
	return pgxpool.NewWithConfig(context.Background(), config)
}

// poolSize is the number of connections that WEBDYNO_POOL allows.
func poolSize() (int, error) {
	text := os.Getenv("WEBDYNO_POOL")
	if text == "" {
		return 16, nil
	}
	number, err := strconv.Atoi(text)
	if err != nil || number < 1 {
		return 0, fmt.Errorf("WEBDYNO_POOL is %q: set it to a number above 0", text)
	}
	return number, nil
}
