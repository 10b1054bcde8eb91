module webdyno/servers/go/net-http

go 1.25.0
