package main

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// An item is a row of the table stock.
type item struct {
	ID       int32 `json:"id"`
	Quantity int32 `json:"quantity"`
}

const updateItems = `UPDATE stock SET quantity = counted.quantity
	FROM unnest($1::int[], $2::int[]) AS counted (id, quantity) WHERE stock.id = counted.id`

// countItems counts n different rows up by one, in a transaction, and returns them.
func countItems(ctx context.Context, pool *pgxpool.Pool, n int) ([]item, error) {
	ids := drawIDs(n)
	quantities := make([]int32, n)
	err := pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		var batch pgx.Batch
		for _, id := range ids {
			batch.Queue("SELECT quantity FROM stock WHERE id = $1 FOR UPDATE", id)
		}
		results := tx.SendBatch(ctx, &batch)
		for i := range quantities {
			if err := results.QueryRow().Scan(&quantities[i]); err != nil {
				results.Close()
				return err
			}
			quantities[i]++
		}
		if err := results.Close(); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, updateItems, ids, quantities)
		return err
	})
	if err != nil {
		return nil, err
	}
	items := make([]item, n)
	for i, id := range ids {
		items[i] = item{id, quantities[i]}
	}
	return items, nil
}

// drawIDs returns n different ids in their order: rows that are always locked in the same order
// cannot make two transactions wait for each other.
func drawIDs(n int) []int32 {
	drawn := make(map[int32]bool, n)
	ids := make([]int32, 0, n)
	for len(ids) < n {
		if id := drawID(); !drawn[id] {
			drawn[id] = true
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}
