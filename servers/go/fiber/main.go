// Command server answers one of Webdyno's scenarios with Fiber.
package main

import (
	"cmp"
	"context"
	"embed"
	"fmt"
	"html/template"
	"io"
	"log"
	"maps"
	"net"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/gofiber/fiber/v3"
)

// routes holds what mounts each scenario, so that a process loads and mounts its own only.
var routes = map[string]func(*fiber.App) error{
	"hello":           mountHello,
	"json":            mountJSON,
	"blog":            mountBlog,
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
	"websocket-echo":  mountWebSocketEcho,
}

//go:embed templates
var templates embed.FS

// views renders html/template for Fiber.
type views struct{ *template.Template }

func (v *views) Load() (err error) {
	v.Template, err = template.ParseFS(templates, "templates/*.html")
	return err
}

func (v *views) Render(out io.Writer, name string, data any, _ ...string) error {
	return v.ExecuteTemplate(out, name, data)
}

func main() {
	port, mount, err := configure()
	app := fiber.New(fiber.Config{
		// Longer than the 60 s usual in proxies, so that it is the client who closes first and no
		// request meets a connection that is just being closed.
		IdleTimeout: 75 * time.Second,
		// Handlers get bodies as they arrive.
		StreamRequestBody: true,
		Views:             &views{},
	})
	if err == nil {
		err = mount(app)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "server:", err)
		os.Exit(2)
	}
	stopped, forget := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
	defer forget()
	err = app.Listen(net.JoinHostPort(cmp.Or(os.Getenv("HOST"), "127.0.0.1"), port), fiber.ListenConfig{
		DisableStartupMessage: true,
		GracefulContext:       stopped,
		ShutdownTimeout:       2 * time.Second,
	})
	if err != nil {
		log.Fatal(err)
	}
}

// configure reads the environment: where to listen, and which scenario to answer.
func configure() (port string, mount func(*fiber.App) error, err error) {
	port, err = requireEnv("PORT")
	if err != nil {
		return "", nil, err
	}
	scenario := os.Getenv("WEBDYNO_SCENARIO")
	mount, ok := routes[scenario]
	if !ok {
		known := strings.Join(slices.Sorted(maps.Keys(routes)), ", ")
		return "", nil, fmt.Errorf("unknown WEBDYNO_SCENARIO %q: set it to one of %s", scenario, known)
	}
	return port, mount, nil
}

// requireEnv returns the value of an environment variable that must not be empty.
func requireEnv(name string) (string, error) {
	value := os.Getenv(name)
	if value == "" {
		return "", fmt.Errorf("the environment variable %s is not set", name)
	}
	return value, nil
}
