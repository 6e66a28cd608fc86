package durabletest

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/tributary-agents/tributary/durable"
)

func (w *World) note(format string, args ...any) { w.out = append(w.out, fmt.Sprintf(format, args...)) }

// perform does what one command says, and notes it.
func (w *World) perform(c durable.Command) {
	switch c := c.(type) {
	case durable.Send:
		w.learn(c.Text)
		w.note("send %s %s", join(c.To), c.Text)
	case durable.Close:
		w.note("close %s %d %s", c.Conn, c.Code, c.Reason)
		w.disconnect(c.Conn)
	case durable.Respond:
		w.note("respond %s %d %s %s", c.Request, c.Status, table(c.Header), c.Body)
	case durable.SetAlarm:
		w.alarm = c.At
		w.note("alarm %s", w.relative(c.At))
	case durable.StartTimer:
		w.timers[c.Timer] = w.now + c.After
		w.note("timer %s %d", c.Timer, c.After)
	case durable.StopTimer:
		delete(w.timers, c.Timer)
		w.note("stop %s", c.Timer)
	case durable.Fetch:
		w.fetches = append(w.fetches, c.Fetch)
		w.note("fetch %s %s %s%s %s", c.Fetch, c.Method, c.URL, headers(c.Header), c.Body)
	case durable.CancelFetch:
		w.fetches = slices.DeleteFunc(w.fetches, func(f string) bool { return f == c.Fetch })
		w.note("cancel %s", c.Fetch)
	case durable.Log:
		w.note("log %s %q %s", c.Level, c.Message, strings.Join(c.Fields, " "))
	default:
		panic(fmt.Sprintf("durabletest: command %T", c))
	}
}

// learn remembers under which message id a request is answered, so that scripts
// can speak of it.
func (w *World) learn(text string) {
	var frame struct{ Type, ID, Body string }
	if !strings.Contains(text, `\"messageId\"`) || json.Unmarshal([]byte(text), &frame) != nil {
		return
	}
	var chunk struct{ Type, MessageID string }
	if json.Unmarshal([]byte(frame.Body), &chunk) == nil && chunk.Type == "start" && chunk.MessageID != "" {
		w.replies[frame.ID] = chunk.MessageID
	}
}

func (w *World) disconnect(conn durable.ConnID) {
	w.conns = slices.DeleteFunc(w.conns, func(c durable.ConnID) bool { return c == conn })
}

func (w *World) relative(at int64) string {
	if at == 0 {
		return "off"
	}
	return "+" + strconv.FormatInt(at-w.now, 10)
}

func join(conns []durable.ConnID) string {
	var names []string
	for _, c := range conns {
		names = append(names, string(c))
	}
	return strings.Join(names, ",")
}

func table(t map[string]string) string {
	var pairs []string
	for _, k := range slices.Sorted(maps.Keys(t)) {
		pairs = append(pairs, k+"="+strconv.Quote(t[k]))
	}
	return strings.Join(pairs, " ")
}

func headers(list []durable.Header) string {
	var b strings.Builder
	for _, h := range list {
		fmt.Fprintf(&b, " %s=%q", h.Name, h.Value)
		if h.Secret != "" {
			fmt.Fprintf(&b, "+secret:%s", h.Secret)
		}
	}
	return b.String()
}
