package main

import (
	"context"
	"errors"
	"math/rand/v2"
	"strconv"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// tableRows is how many rows the tables world and stock have; their ids begin at 1.
const tableRows = 10_000

// A world is a row of the table world.
type world struct {
	ID           int32 `json:"id"`
	RandomNumber int32 `json:"randomNumber"`
}

// clampedRows returns how many rows the text asks for: 1 to 500.
func clampedRows(text string) int {
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return 1
	}
	return int(max(1, min(n, 500)))
}

// drawID returns one of the tables' ids, each equally likely.
func drawID() int32 {
	return 1 + rand.Int32N(tableRows)
}

// readWorlds reads n rows, each by a query of its own; they are sent in one go.
func readWorlds(ctx context.Context, pool *pgxpool.Pool, n int) ([]world, error) {
	var batch pgx.Batch
	for range n {
		batch.Queue("SELECT id, randomnumber FROM world WHERE id = $1", drawID())
	}
	results := pool.SendBatch(ctx, &batch)
	defer results.Close()
	worlds := make([]world, n)
	for i := range worlds {
		if err := results.QueryRow().Scan(&worlds[i].ID, &worlds[i].RandomNumber); err != nil {
			return nil, err
		}
	}
	return worlds, nil
}
