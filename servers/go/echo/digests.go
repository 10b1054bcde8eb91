package main

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"strconv"
)

// rounds returns how many rounds the text asks for; ok is false where it is no number of 1 to 100000.
func rounds(text string) (n uint64, ok bool) {
	n, err := strconv.ParseUint(text, 10, 32)
	return n, err == nil && n >= 1 && n <= 100_000
}

// readAndDigest returns the n-th digest of a file in hexadecimal: the first is that of its content,
// each further one that of the content followed by the digest before it.
func readAndDigest(path string, n uint64) (string, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	hash := sha256.New()
	var digest []byte
	for range n {
		hash.Reset()
		hash.Write(content)
		hash.Write(digest)
		digest = hash.Sum(digest[:0])
	}
	return hex.EncodeToString(digest), nil
}
