package main

import (
	"context"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// shutdownGrace is how long requests in flight may take to end after SIGTERM.
const shutdownGrace = 2 * time.Second

// serve answers requests on address until SIGTERM or an interrupt, then lets those in flight end.
func serve(address string, handler http.Handler) error {
	server := &http.Server{
		Addr:              address,
		Handler:           handler,
		ReadHeaderTimeout: 5 * time.Second,
		// Longer than the 60 s usual in proxies, so that it is the client who closes first and no
		// request meets a connection that is just being closed.
		IdleTimeout: 75 * time.Second,
	}

	stopped, forget := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
	defer forget()
	failed := make(chan error, 1)
	go func() { failed <- server.ListenAndServe() }()

	select {
	case err := <-failed:
		return err
	case <-stopped.Done():
	}

	grace, cancel := context.WithTimeout(context.Background(), shutdownGrace)
	defer cancel()
	if err := server.Shutdown(grace); err != nil {
		// Shutdown closes idle connections at once but waits for the others, among them those
		// that never sent a request.
		return server.Close()
	}
	return nil
}
