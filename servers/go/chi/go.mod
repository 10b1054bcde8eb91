module webdyno/servers/go/chi

go 1.25.0

require github.com/go-chi/chi/v5 v5.5.0
