package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/beego/beego/v2/server/web"
)

// shutdownGrace is how long requests in flight may take to end after SIGTERM.
const shutdownGrace = 2 * time.Second

// serve answers requests on address until SIGTERM or an interrupt, then lets those in flight end.
// It is false if Beego cannot listen, which it has logged.
func serve(address string) bool {
	server := web.BeeApp.Server
	server.ReadHeaderTimeout = 5 * time.Second
	// Longer than the 60 s usual in proxies, so that it is the client who closes first and no
	// request meets a connection that is just being closed.
	server.IdleTimeout = 75 * time.Second

	stopped, forget := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
	defer forget()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		<-stopped.Done()
		grace, cancel := context.WithTimeout(context.Background(), shutdownGrace)
		defer cancel()
		if err := server.Shutdown(grace); err != nil {
			// Shutdown closes idle connections at once but waits for the others, among them those
			// that never sent a request.
			server.Close()
		}
	}()

	// It returns when the server is shut down, or cannot listen.
	web.Run(address)
	if stopped.Err() == nil {
		return false
	}
	<-ended
	return true
}
