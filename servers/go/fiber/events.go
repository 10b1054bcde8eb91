package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"
	"time"
)

const (
	mostEvents   = 10_000
	longestGapMs = 1000
)

type pushedEvent struct {
	Number int    `json:"number"`
	Tag    string `json:"tag"`
	Made   int64  `json:"made"`
}

// wantedEvents is what a client asks for: the events after last up to count.
type wantedEvents struct {
	last, count int
	tag         string
	gap         time.Duration
}

// readWanted reads the parameters of a request and its Last-Event-ID, which may be empty. It is
// not ok where one of them is none.
func readWanted(n, tag, gap, lastEventID string) (wanted wantedEvents, ok bool) {
	count := upTo(n, mostEvents)
	gapMs := upTo(gap, longestGapMs)
	last := upTo(cmp.Or(lastEventID, "0"), count)
	ok = count >= 1 && gapMs >= 0 && last >= 0 && wholeTag.MatchString(tag)
	return wantedEvents{last, count, tag, time.Duration(gapMs) * time.Millisecond}, ok
}

// upTo is the number of 0 to most that the text is; -1 where it is none.
func upTo(text string, most int) int {
	number, err := strconv.Atoi(text)
	if err != nil || !wholeNumber.MatchString(text) || number > most {
		return -1
	}
	return number
}

// text makes the event of a number, as it is now.
func (wanted wantedEvents) text(number int) (string, error) {
	data, err := json.Marshal(pushedEvent{number, wanted.tag, time.Now().UnixMicro()})
	return fmt.Sprintf("id: %d\ndata: %s\n\n", number, data), err
}
