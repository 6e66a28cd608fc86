package browser_test

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/tributary-agents/tributary/durable/durabletest/browser"
)

// scene runs a case, which is a list of lines:
//
//	sdk MAJOR            the only major of the AI SDK that behaves so; optional, the first line
//	initial LIST         the messages that the page begins with; optional, the next line
//	open, connected      the connection opens; connected also answers the probe with none
//	drop, close CODE     the connection is lost; the server closes it
//	broke                the connection is lost, and the page is told later
//	wait MS              time passes
//	say TEXT, edit ID TEXT, regenerate, stop, clear, answer CALL yes|no
//	> ID [replay] CHUNK|done|complete|error TEXT    a frame of a stream
//	hear FRAME           any frame
//
// $r stands for the tab's last request, $m for that request's message, and $p for its last probe.
type scene struct {
	tab   *browser.Tab
	now   int64
	names map[string]string
}

func play(text string) *browser.Vector {
	s := &scene{names: map[string]string{}}
	lines := strings.Split(strings.TrimSpace(text), "\n")
	major, initial := "0", "[]"
	if rest, ok := strings.CutPrefix(strings.TrimSpace(lines[0]), "sdk "); ok {
		major, lines = rest, lines[1:]
	}
	if rest, ok := strings.CutPrefix(strings.TrimSpace(lines[0]), "initial "); ok {
		initial, lines = rest, lines[1:]
	}
	s.tab = browser.New("t", func() int64 { return s.now }, json.RawMessage(initial))
	v := s.tab.Record(json.RawMessage(initial))
	v.SDK = number(major)
	s.connect()
	for _, line := range lines {
		s.line(strings.TrimSpace(line))
	}
	return v
}

func (s *scene) line(line string) {
	for name, value := range s.names {
		line = strings.ReplaceAll(line, name, value)
	}
	verb, rest, _ := strings.Cut(line, " ")
	first, second, _ := strings.Cut(rest, " ")
	switch verb {
	case "open":
		s.tab.Opened()
	case "connected":
		s.line("open")
		s.line(`hear {"type":"cf_agent_identity","name":"room","agent":"assistant"}`)
		s.line(`hear {"type":"cf_agent_stream_resume_none","reason":"idle","probeId":"$p"}`)
	case "drop":
		s.tab.Closed(1006)
	case "close":
		s.tab.Closed(number(first))
	case "wait":
		s.now += int64(number(first))
		s.tab.Tick()
		s.connect()
	case ">":
		s.tab.Frame(response(first, second))
	case "hear":
		s.tab.Frame(rest)
	default:
		happen(s.tab, &browser.Step{Do: verb, Text: words(verb, rest, second), ID: first, Yes: second == "yes"})
	}
	s.learn()
}

func (s *scene) connect() {
	if s.tab.Wants() {
		s.tab.Connect()
	}
}

func words(verb, all, second string) string {
	if verb == "edit" {
		return second
	}
	return all
}

// learn notes the names that the tab has made up.
func (s *scene) learn() {
	if n := len(s.tab.Messages); n > 0 && s.tab.Messages[n-1].Role == "user" {
		s.names["$m"] = s.tab.Messages[n-1].ID
	}
	for _, text := range s.tab.Out() {
		var f struct{ Type, ID, ProbeID string }
		_ = json.Unmarshal([]byte(text), &f)
		switch f.Type {
		case "cf_agent_use_chat_request":
			s.names["$r"] = f.ID
		case "cf_agent_stream_resume_request":
			s.names["$p"] = f.ProbeID
		}
	}
}

func response(id, what string) string {
	f := map[string]any{"type": "cf_agent_use_chat_response", "id": id, "body": "", "done": false}
	if rest, ok := strings.CutPrefix(what, "replay "); ok {
		f["replay"], what = true, rest
	}
	verb, text, _ := strings.Cut(what, " ")
	switch verb {
	case "done":
		f["done"] = true
	case "complete":
		f["replayComplete"] = true
	case "error":
		f["done"], f["error"], f["body"] = true, true, text
	default:
		f["body"] = what
	}
	return compact(f)
}

func number(word string) int {
	n, err := strconv.Atoi(word)
	if err != nil {
		panic(fmt.Sprintf("%q is no number", word))
	}
	return n
}
