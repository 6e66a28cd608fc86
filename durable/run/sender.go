package run

import (
	"encoding/base64"
	"encoding/json"

	"github.com/tributary-agents/tributary/durable/internal/sha256"
	"github.com/tributary-agents/tributary/durable/internal/share"
	"github.com/tributary-agents/tributary/durable/limit"
)

// This file is about who has sent the signals that wait for a run, so that one person cannot take the room of the others.
// A helper says how many signals its code has received, and not whose. So the newest signals, as many as wait, count
// for those who have sent them.

// senders are who has sent the newest signals to a run, oldest first. Signals of one person that came one behind another
// are one entry.
type senders []sender

// sender is a person, as the beginning of a digest, with signals and the bytes of their payloads.
type sender struct {
	Person  string `json:"p"`
	Signals int64  `json:"n"`
	Bytes   int64  `json:"b"`
}

func readSenders(text string) (s senders) {
	_ = json.Unmarshal([]byte(text), &s) // "" for none
	return s
}

func (s senders) text() string {
	if len(s) == 0 {
		return ""
	}
	return string(limit.MustMarshal(s))
}

// keyOf returns a person's key in [senders].
func keyOf(person string) string {
	digest := sha256.Sum([]byte(person))
	return base64.RawURLEncoding.EncodeToString(digest[:9])
}

// hasShare says whether a person has the share of one person in the signals that wait, or would have more than that
// with a payload of some bytes.
func (s senders) hasShare(person string, waiting, bytes int64) bool {
	var held share.Held
	key := keyOf(person)
	for _, one := range s.newest(waiting) {
		if one.Person == key {
			held.AddOf(person, int(one.Signals))
			bytes += one.Bytes
		}
	}
	return share.Signals.RefusalOf(person, held) != nil || person != share.Everybody && bytes > limit.SignalBytes/4
}

// newest returns the newest senders, of as many signals as wait.
func (s senders) newest(waiting int64) senders {
	for i := len(s) - 1; i >= 0; i-- {
		if one := s[i]; one.Signals < waiting {
			waiting -= one.Signals
			continue
		}
		if waiting == 0 {
			return s[i+1:]
		}
		left := append(senders{}, s[i:]...)
		left[0].Bytes = left[0].Bytes * waiting / left[0].Signals
		left[0].Signals = waiting
		return left
	}
	return s
}

// with returns the senders with one more signal. Where nobody signs in, they are not noted.
func (s senders) with(person string, waiting, bytes int64) senders {
	if person == share.Everybody {
		return nil
	}
	s, key := s.newest(waiting), keyOf(person)
	if last := len(s) - 1; last >= 0 && s[last].Person == key {
		s = append(senders{}, s...)
		s[last].Signals, s[last].Bytes = s[last].Signals+1, s[last].Bytes+bytes
		return s
	}
	return append(s, sender{key, 1, bytes})
}
