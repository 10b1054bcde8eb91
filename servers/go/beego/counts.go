package main

import (
	"fmt"
	"strconv"
	"sync/atomic"
)

// counts holds what the process has seen: requests, and middlewares that they passed.
type counts struct{ requests, passed atomic.Int64 }

// A tally is what counts hold, as JSON.
type tally struct {
	Requests int64 `json:"requests"`
	Passed   int64 `json:"passed"`
}

// tally counts a request and returns what the process has seen, that one included.
func (c *counts) tally() tally {
	return tally{Requests: c.requests.Add(1), Passed: c.passed.Load()}
}

// wantedMiddlewares returns how many middlewares every request is to pass.
func wantedMiddlewares() (int, error) {
	value, err := requireEnv("WEBDYNO_MIDDLEWARE")
	if err != nil {
		return 0, err
	}
	number, err := strconv.Atoi(value)
	if err != nil || number < 0 {
		return 0, fmt.Errorf("WEBDYNO_MIDDLEWARE is %q: set it to a number of 0 or more", value)
	}
	return number, nil
}
