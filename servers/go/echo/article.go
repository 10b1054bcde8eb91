package main

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// An article is a row of the table articles.
type article struct {
	Title   string
	Author  string
	Summary string
}

// readArticles returns the rows of the table in the order of their numbers.
func readArticles(ctx context.Context, pool *pgxpool.Pool) ([]article, error) {
	rows, err := pool.Query(ctx, "SELECT title, author, summary FROM articles ORDER BY number")
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[article])
}
