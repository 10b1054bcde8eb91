// Command server answers one of Webdyno's scenarios with the standard library's net/http.
package main

import (
	"cmp"
	"fmt"
	"log"
	"maps"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
)

// apps holds a constructor for each scenario, so that a process loads and mounts its own only.
var apps = map[string]func() (http.Handler, error){
	"hello":           newHello,
	"middleware":      newMiddleware,
	"json":            newJSON,
	"blog":            newBlog,
	"sha256":          newSHA256,
	"point-lookup":    newPointLookup,
	"session-counter": newSessionCounter,
	"page":            newPage,
	"queries":         newQueries,
	"updates":         newUpdates,
	"fortunes":        newFortunes,
	"static":          newStatic,
	"upload":          newUpload,
	"stream":          newStream,
	"sse":             newSSE,
	"websocket-echo":  newWebSocketEcho,
	"cached":          newCached,
}

func main() {
	address, handler, err := configure()
	if err != nil {
		fmt.Fprintln(os.Stderr, "server:", err)
		os.Exit(2)
	}
	if err := serve(address, handler); err != nil {
		log.Fatal(err)
	}
}

// configure reads the environment: where to listen, and which scenario to answer.
func configure() (address string, handler http.Handler, err error) {
	port, err := requireEnv("PORT")
	if err != nil {
		return "", nil, err
	}
	scenario := os.Getenv("WEBDYNO_SCENARIO")
	newApp, ok := apps[scenario]
	if !ok {
		known := strings.Join(slices.Sorted(maps.Keys(apps)), ", ")
		return "", nil, fmt.Errorf("unknown WEBDYNO_SCENARIO %q: set it to one of %s", scenario, known)
	}
	handler, err = newApp()
	return net.JoinHostPort(cmp.Or(os.Getenv("HOST"), "127.0.0.1"), port), handler, err
}

// requireEnv returns the value of an environment variable that must not be empty.
func requireEnv(name string) (string, error) {
	value := os.Getenv(name)
	if value == "" {
		return "", fmt.Errorf("the environment variable %s is not set", name)
	}
	return value, nil
}
