package main

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// cachedRows is how many rows the table world has where they are cached.
const cachedRows = 100

// A worldCache keeps each row that it reads for a time.
type worldCache struct {
	pool *pgxpool.Pool
	ttl  time.Duration
	lock sync.RWMutex
	kept map[int32]keptWorld
}

type keptWorld struct {
	world world
	until time.Time
}

func newWorldCache(pool *pgxpool.Pool, ttl time.Duration) *worldCache {
	return &worldCache{pool: pool, ttl: ttl, kept: make(map[int32]keptWorld, cachedRows)}
}

// read draws n rows; those that are not kept are read, each by a query of its own.
func (c *worldCache) read(ctx context.Context, n int) ([]world, error) {
	worlds := make([]world, n)
	missing := make(map[int32][]int)
	now := time.Now()
	c.lock.RLock()
	for i := range worlds {
		id := 1 + rand.Int32N(cachedRows)
		if found := c.kept[id]; now.Before(found.until) {
			worlds[i] = found.world
		} else {
			missing[id] = append(missing[id], i)
		}
	}
	c.lock.RUnlock()
	if len(missing) == 0 {
		return worlds, nil
	}

	found, err := c.fetch(ctx, missing)
	if err != nil {
		return nil, err
	}
	c.lock.Lock()
	defer c.lock.Unlock()
	for _, row := range found {
		c.kept[row.ID] = keptWorld{row, now.Add(c.ttl)}
		for _, i := range missing[row.ID] {
			worlds[i] = row
		}
	}
	return worlds, nil
}

// fetch reads the rows that are missing; the queries are sent in one go.
func (c *worldCache) fetch(ctx context.Context, missing map[int32][]int) ([]world, error) {
	var batch pgx.Batch
	for id := range missing {
		batch.Queue("SELECT id, randomnumber FROM world WHERE id = $1", id)
	}
	results := c.pool.SendBatch(ctx, &batch)
	defer results.Close()
	found := make([]world, len(missing))
	for i := range found {
		if err := results.QueryRow().Scan(&found[i].ID, &found[i].RandomNumber); err != nil {
			return nil, err
		}
	}
	return found, nil
}
