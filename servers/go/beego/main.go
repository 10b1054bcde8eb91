// Command server answers one of Webdyno's scenarios with Beego.
package main

import (
	"cmp"
	"fmt"
	"maps"
	"net"
	"os"
	"slices"
	"strings"
)

// apps holds a function for each scenario that mounts its routes, so that a process loads its own
// only.
var apps = map[string]func() error{
	"hello":           mountHello,
	"middleware":      mountMiddleware,
	"json":            mountJSON,
	"blog":            mountBlog,
	"static":          mountStatic,
	"sha256":          mountSHA256,
	"session-counter": mountSessionCounter,
	"page":            mountPage,
	"point-lookup":    mountPointLookup,
	"queries":         mountQueries,
	"updates":         mountUpdates,
	"fortunes":        mountFortunes,
	"cached":          mountCached,
	"upload":          mountUpload,
	"stream":          mountStream,
	"sse":             mountSSE,
	"websocket-echo":  mountWebSocketEcho,
}

func main() {
	address, err := configure()
	if err != nil {
		fmt.Fprintln(os.Stderr, "server:", err)
		os.Exit(2)
	}
	if !serve(address) {
		os.Exit(1)
	}
}

// configure reads the environment: where to listen, and which scenario to answer.
func configure() (address string, err error) {
	port, err := requireEnv("PORT")
	if err != nil {
		return "", err
	}
	scenario := os.Getenv("WEBDYNO_SCENARIO")
	mount, ok := apps[scenario]
	if !ok {
		known := strings.Join(slices.Sorted(maps.Keys(apps)), ", ")
		return "", fmt.Errorf("unknown WEBDYNO_SCENARIO %q: set it to one of %s", scenario, known)
	}
	return net.JoinHostPort(cmp.Or(os.Getenv("HOST"), "127.0.0.1"), port), mount()
}

// requireEnv returns the value of an environment variable that must not be empty.
func requireEnv(name string) (string, error) {
	value := os.Getenv(name)
	if value == "" {
		return "", fmt.Errorf("the environment variable %s is not set", name)
	}
	return value, nil
}
