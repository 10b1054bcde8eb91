// Command server answers one of Webdyno's scenarios with Echo.
package main

import (
	"cmp"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"io"
	"log"
	"maps"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"

	"github.com/labstack/echo/v5"
)

// routes holds what mounts each scenario, so that a process loads and mounts its own only.
var routes = map[string]func(*echo.Echo) error{
	"hello":           mountHello,
	"middleware":      mountMiddleware,
	"json":            mountJSON,
	"blog":            mountBlog,
	"static":          mountStatic,
	"sha256":          mountSHA256,
	"point-lookup":    mountPointLookup,
	"session-counter": mountSessionCounter,
	"page":            mountPage,
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

// views renders html/template for Echo.
type views struct{ *template.Template }

func (v views) Render(_ *echo.Context, out io.Writer, name string, data any) error {
	return v.ExecuteTemplate(out, name, data)
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
	mount, ok := routes[scenario]
	if !ok {
		known := strings.Join(slices.Sorted(maps.Keys(routes)), ", ")
		return "", nil, fmt.Errorf("unknown WEBDYNO_SCENARIO %q: set it to one of %s", scenario, known)
	}
	parsed, err := template.ParseFS(templates, "templates/*.html")
	if err != nil {
		return "", nil, err
	}
	app := echo.New()
	app.Renderer = views{parsed}
	app.HTTPErrorHandler = answerError
	return net.JoinHostPort(cmp.Or(os.Getenv("HOST"), "127.0.0.1"), port), app, mount(app)
}

// answerError answers an error of a handler, and logs one that is no answer of its own: Echo's own
// handler leaves that to middlewares.
func answerError(c *echo.Context, err error) {
	var answer echo.HTTPStatusCoder
	if !errors.As(err, &answer) {
		log.Print(err)
	}
	echo.DefaultHTTPErrorHandler(false)(c, err)
}

// requireEnv returns the value of an environment variable that must not be empty.
func requireEnv(name string) (string, error) {
	value := os.Getenv(name)
	if value == "" {
		return "", fmt.Errorf("the environment variable %s is not set", name)
	}
	return value, nil
}
