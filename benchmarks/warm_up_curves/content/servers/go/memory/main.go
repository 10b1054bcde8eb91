// Command server answers hello with memory that shapes its curve. MEMORY=cache: what each key needs
// is worked out once, so it becomes faster as its cache fills. MEMORY=bursts: what requests leave
// behind is kept until there is much of it, then dropped at once.
package main

import (
	"crypto/sha256"
	"io"
	"log"
	"math/rand/v2"
	"net/http"
	"os"
	"sync"
)

const (
	keys = 20_000
	kept = 150_000
)

type node struct {
	next *node
	text [8]*string
}

var (
	mutex sync.Mutex
	cache = map[int][32]byte{}
	list  *node
	size  int
)

func fill() {
	key := rand.IntN(keys)
	mutex.Lock()
	_, known := cache[key]
	mutex.Unlock()
	if known {
		return
	}
	digest := sha256.Sum256([]byte{byte(key), byte(key >> 8)})
	for range 1_000 {
		digest = sha256.Sum256(digest[:])
	}
	mutex.Lock()
	cache[key] = digest
	mutex.Unlock()
}

func keep() {
	mutex.Lock()
	defer mutex.Unlock()
	made := &node{next: list}
	for at := range made.text {
		text := "kept"
		made.text[at] = &text
	}
	list = made
	if size++; size >= kept {
		list, size = nil, 0
	}
}

func main() {
	work := fill
	if os.Getenv("MEMORY") == "bursts" {
		work = keep
	}
	http.HandleFunc("GET /hello", func(w http.ResponseWriter, _ *http.Request) {
		work()
		w.Header().Set("Content-Type", "text/plain")
		_, _ = io.WriteString(w, "Hello World")
	})
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}
