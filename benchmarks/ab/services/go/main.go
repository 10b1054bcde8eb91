// A small service: an item as JSON, signed with rounds of SHA-256.
//
// Its argument is how many rounds more than usual a request takes.
package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"log"
	"net/http"
	"os"
	"strconv"
)

const usualRounds = 60

type item struct {
	ID        int      `json:"id"`
	Name      string   `json:"name"`
	Tags      []string `json:"tags"`
	Signature string   `json:"signature"`
}

func sign(id, rounds int) string {
	digest := sha256.Sum256([]byte("item " + strconv.Itoa(id)))
	usual := digest
	for round := 0; round < rounds; round++ {
		digest = sha256.Sum256(digest[:])
		if round == usualRounds-1 {
			usual = digest
		}
	}
	return hex.EncodeToString(usual[:])
}

func main() {
	rounds := usualRounds
	if len(os.Args) > 1 {
		more, err := strconv.Atoi(os.Args[1])
		if err != nil || more < 0 {
			log.Fatal("usage: service [ROUNDS_MORE]")
		}
		rounds += more
	}
	http.HandleFunc("GET /items/{id}", func(w http.ResponseWriter, r *http.Request) {
		id, err := strconv.Atoi(r.PathValue("id"))
		if err != nil {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		found := item{id, "item " + strconv.Itoa(id), []string{"new", "small"}, sign(id, rounds)}
		if err := json.NewEncoder(w).Encode(found); err != nil {
			log.Print(err)
		}
	})
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}
