package main

import (
	"context"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// A fortune is a row of the table fortune.
type fortune struct {
	ID      int32
	Message string
}

// readFortunes returns the rows of the table and the one added, sorted by their messages.
func readFortunes(ctx context.Context, pool *pgxpool.Pool, added string) ([]fortune, error) {
	rows, err := pool.Query(ctx, "SELECT id, message FROM fortune")
	if err != nil {
		return nil, err
	}
	fortunes, err := pgx.CollectRows(rows, pgx.RowToStructByPos[fortune])
	if err != nil {
		return nil, err
	}
	fortunes = append(fortunes, fortune{0, added})
	slices.SortFunc(fortunes, func(a, b fortune) int { return strings.Compare(a.Message, b.Message) })
	return fortunes, nil
}
