package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

const (
	pieceBytes = 4096
	mostPieces = 65_536
)

var (
	wholeNumber = regexp.MustCompile(`^[0-9]{1,5}$`)
	wholeTag    = regexp.MustCompile(`^[0-9]{18}$`)
	dots        = []byte(strings.Repeat(".", pieceBytes-1) + "\n")
)

// pieces is how many pieces the text asks for; 0 where it is no number of 1 to mostPieces.
func pieces(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil || !wholeNumber.MatchString(text) || n > mostPieces {
		return 0
	}
	return n
}

// appendPiece makes the piece of a number at the end of an empty buffer.
func appendPiece(buffer []byte, number int, tag string) []byte {
	piece := fmt.Appendf(buffer, "%010d %s %016d ", number, tag, time.Now().UnixMicro())
	return append(piece, dots[len(piece):]...)
}
