// A server of the standard library. Replace it with your framework's.
package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"
)

var apps = map[string]func() http.Handler{"hello": hello}

func hello() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /hello", func(answer http.ResponseWriter, _ *http.Request) {
		answer.Header().Set("Content-Type", "text/plain; charset=utf-8")
		io.WriteString(answer, "Hello World")
	})
	return mux
}

func main() {
	scenario := os.Getenv("WEBDYNO_SCENARIO")
	app, ok := apps[scenario]
	if !ok {
		var known []string
		for name := range apps {
			known = append(known, name)
		}
		slices.Sort(known)
		fmt.Fprintf(os.Stderr, "WEBDYNO_SCENARIO is '%s'; one of: %s\n", scenario, strings.Join(known, ", "))
		os.Exit(2)
	}
	server := &http.Server{Addr: net.JoinHostPort(cmp.Or(os.Getenv("HOST"), "127.0.0.1"), os.Getenv("PORT")), Handler: app()}
	stop, cancel := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer cancel()
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		<-stop.Done()
		grace, done := context.WithTimeout(context.Background(), 2*time.Second)
		defer done()
		if server.Shutdown(grace) != nil {
			server.Close()
		}
	}()
	if err := server.ListenAndServe(); err != http.ErrServerClosed {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	// ListenAndServe returns as soon as the shutdown begins: requests in flight are still answered.
	<-stopped
}
