package main

import "net/http"

func newStatic() (http.Handler, error) {
	folder, err := requireEnv("WEBDYNO_STATIC")
	if err != nil {
		return nil, err
	}
	return http.FileServer(http.Dir(folder)), nil
}
