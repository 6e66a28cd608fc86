package agent_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/agent"
)

const (
	ended  = "end"
	broken = "fail connection lost"
	said   = `data data: {"choices":[{"delta":{"content":"%s"}}]}\n\n`
)

// says are the actions of a server that says a text and then does something else.
func says(text string, then ...string) []string {
	return append([]string{streams, fmt.Sprintf(said, text)}, then...)
}

// inside is a failure that a server reports within its answer.
func inside(code int, words string) string {
	return fmt.Sprintf(`data data: {"error":{"code":%d,"message":"%s"}}\n\n`, code, words)
}

// TestWorstProviders tells what one question costs at most, with servers that never finish an answer: how
// often they are asked, and about how many tokens they are sent, at four bytes a token. What was said
// stands once, and the turn ends with the words of the provider.
func TestWorstProviders(t *testing.T) {
	for name, test := range map[string]struct {
		// attempt returns what the server does when it is asked for the nth time.
		attempt  func(n int) []string
		requests int
		// text is what was said, and reason what the turn ends with, or "" if it completes.
		text, reason string
	}{
		"no finish reason and no end": {
			func(int) []string { return says("Paris is the capital of France.", ended) }, 1, "Paris is the capital of France.", "",
		},
		"an error that says nothing on each chunk": {
			func(int) []string {
				return []string{streams, `data data: {"choices":[{"delta":{"content":"ok"}}],"error":{"message":"","type":"","param":"","code":null}}\n\n`, `data data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n`}
			}, 1, "ok", "",
		},
		"a word and an error": {
			func(int) []string { return says("word ", inside(502, "Provider returned error")) }, 3, "word ", "Provider returned error; three attempts have ended in the same way",
		},
		"other words and an error": {
			func(n int) []string { return says(fmt.Sprintf("%d, ", n), inside(502, "upstream")) }, 3, "0, 1, 2, ", "upstream; three attempts",
		},
		"the same beginning, which gets longer": {
			func(n int) []string { return says("One two three four"[:4+n*5], broken) }, 3, "One two three ", "connection lost; three attempts",
		},
		"the same beginning, which gets shorter": {
			func(n int) []string { return says("One two three four"[:14-n*5], broken) }, 3, "One two three ", "connection lost; three attempts",
		},
		"the same beginning in other pieces": {
			func(n int) []string {
				if n%2 == 0 {
					return says("One two ", fmt.Sprintf(said, "three"), broken)
				}
				return says("One", fmt.Sprintf(said, " two three"), broken)
			}, 3, "One two three", "connection lost; three attempts",
		},
		"a time limit of a gateway": {
			func(n int) []string { return says(fmt.Sprintf("part %d. ", n), "tick 20s", broken) }, 3, "part 0. part 1. part 2. ", "connection lost; three attempts",
		},
		"words of an error with a number of their own": {
			func(n int) []string { return says("a", inside(503, fmt.Sprintf("request %d failed", n))) }, 3, "a", "request 2 failed; three attempts",
		},
		"two ways by turns": {
			func(n int) []string {
				if n%2 == 0 {
					return says("a", broken)
				}
				return says("a", inside(502, "upstream"))
			}, 5, "a", "connection lost; three attempts",
		},
		"every way by turns": {
			func(n int) []string {
				return says("a", []string{broken, inside(502, "upstream"), inside(429, "slow down")}[n%3])
			}, 7, "a", "connection lost; three attempts",
		},
		"refused in between": {
			func(n int) []string {
				if n%2 == 1 {
					return []string{"respond 503", ended}
				}
				return says(fmt.Sprint(n), broken)
			}, 5, "024", "connection lost; three attempts",
		},
		"nothing in an answer": {
			func(int) []string { return []string{streams, ended} }, 3, "", "ended before it was finished; three attempts",
		},
		"an error in an answer without words": {
			func(int) []string { return []string{streams, inside(503, "overloaded")} }, 3, "", "overloaded; three attempts",
		},
		"a thought and no more": {
			func(int) []string {
				return []string{streams, `data data: {"choices":[{"delta":{"reasoning_content":"Hm."}}]}\n\n`, ended}
			}, 3, "", "ended before it was finished; three attempts",
		},
		"half a call": {
			func(int) []string {
				return []string{streams, `data data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"c","function":{"name":"look","arguments":"{"}}]}}]}\n\n`, ended}
			}, 3, "", "ended before it was finished; three attempts",
		},
		"silence behind a head": {
			func(int) []string { return []string{streams, "tick 120s"} }, 3, "", "silent for 120 seconds; three attempts",
		},
		"silence": {
			func(int) []string { return []string{"tick 120s"} }, 3, "", "silent for 120 seconds; three attempts",
		},
		"silence behind a word": {
			func(int) []string { return says("Well", "tick 60s") }, 3, "Well", "silent for 60 seconds; three attempts",
		},
		"refused before it has cost anything": {
			func(int) []string { return []string{"respond 503", ended} }, 10, "", "interrupted too often",
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := costOf(t, test.attempt)
			t.Logf("%d requests, about %d tokens", got.requests, got.tokens)
			if got.requests != test.requests || got.text != test.text || !strings.Contains(got.reason, test.reason) || (test.reason == "") != (got.reason == "") {
				t.Errorf("got %+v, want %d requests, %q, %q", got, test.requests, test.text, test.reason)
			}
			if most := test.requests * tokensOfOne; got.tokens > most {
				t.Errorf("%d tokens for one question, at most %d", got.tokens, most)
			}
		})
	}
}

// TestAttemptsAreCountedOverLives checks that a loss of memory between two attempts does not begin the count anew, and
// that an attempt which is lost is not counted.
func TestAttemptsAreCountedOverLives(t *testing.T) {
	for name, test := range map[string]struct {
		attempt  func(n int) []string
		requests int
	}{
		"lost behind each attempt": {func(int) []string { return says("word ", inside(502, "upstream"), "evict") }, 3},
		"lost within an attempt": {func(n int) []string {
			if n == 1 {
				return says("word ", "evict")
			}
			return says("word ", inside(502, "upstream"))
		}, 4},
	} {
		t.Run(name, func(t *testing.T) {
			got := costOf(t, test.attempt)
			if want := (cost{test.requests, got.tokens, "word ", got.reason}); got != want || !strings.Contains(got.reason, "upstream; three attempts") {
				t.Errorf("got %+v, want %+v", got, want)
			}
		})
	}
}

// tokensOfOne is about how many tokens one request of this test has at most.
const tokensOfOne = 150

// cost is what became of a question.
type cost struct {
	requests, tokens int
	text, reason     string
}

// costOf asks one question, and has a server answer each request until the turn has ended.
func costOf(t *testing.T, attempt func(n int) []string) (c cost) {
	t.Helper()
	w, do := streaming(t, agent.Agent{Name: "Asst"})
	w.Take()
	do("say a R1 u1: hi")
	for range 2_000 {
		asked := false
		for _, line := range w.Take() {
			switch {
			case strings.HasPrefix(line, "fetch "):
				_, body, _ := strings.Cut(line, "{")
				c.requests, c.tokens, asked = c.requests+1, c.tokens+(len(body)+1)/4, true
			case strings.Contains(line, `\"type\":\"text-delta\"`):
				_, text, _ := strings.Cut(line, `\"delta\":\"`)
				text, _, _ = strings.Cut(text, `\"`)
				c.text += text
			case strings.Contains(line, `"done":true`):
				if strings.Contains(line, `"error":true`) {
					_, words, _ := strings.Cut(line, `"body":"`)
					c.reason, _, _ = strings.Cut(words, `","done"`)
				}
				return c
			}
		}
		if asked {
			do(attempt(c.requests - 1)...)
		} else {
			do("tick 1s")
		}
	}
	t.Fatal("the turn has not ended")
	return c
}
