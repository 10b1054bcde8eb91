// Command server answers one of Webdyno's scenarios with Fiber.
package main

import (
	"cmp"
	"context"
	"embed"
	"errors"
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

// shutdownGrace is how long requests in flight may take to end after SIGTERM.
const shutdownGrace = 2 * time.Second

func main() {
	port, mount, err := configure()
	app := fiber.New(fiber.Config{
		// Longer than the 60 s usual in proxies, so that it is the client who closes first and no
		// request meets a connection that is just being closed.
		IdleTimeout: 75 * time.Second,
		// It also bounds the head of a request: 4 kB, the default, is less than cookies may have.
		ReadBufferSize: 16 << 10,
		// Handlers get bodies as they arrive, those of forms as well.
		StreamRequestBody:            true,
		DisablePreParseMultipartForm: true,
		ErrorHandler:                 answerError,
		Views:                        &views{},
	})
	if err == nil {
		err = mount(app)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "server:", err)
		os.Exit(2)
	}
	address := net.JoinHostPort(cmp.Or(os.Getenv("HOST"), "127.0.0.1"), port)
	if err := serve(app, address); err != nil {
		log.Fatal(err)
	}
}

// serve answers requests on address until SIGTERM or an interrupt, then lets those in flight end.
func serve(app *fiber.App, address string) error {
	stopped, forget := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
	defer forget()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		<-stopped.Done()
		// It fails where connections are still open then, which end with the process.
		app.ShutdownWithTimeout(shutdownGrace)
	}()

	// It returns as soon as the shutdown begins, or where it cannot listen.
	err := app.Listen(address, fiber.ListenConfig{DisableStartupMessage: true})
	if err != nil {
		return err
	}
	<-ended
	return nil
}

// answerError answers an error of a handler. One that is no answer of its own is logged, and its
// text, which Fiber would send, is not told to clients.
func answerError(c fiber.Ctx, err error) error {
	var answer *fiber.Error
	if !errors.As(err, &answer) {
		log.Print(err)
		err = fiber.ErrInternalServerError
	}
	return fiber.DefaultErrorHandler(c, err)
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
