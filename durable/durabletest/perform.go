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

func (w *World) note(n *node, format string, args ...any) {
	w.out = append(w.out, n.label+fmt.Sprintf(format, args...))
}

// perform performs and notes one command of a node.
func (w *World) perform(n *node, c durable.Command) {
	switch c := c.(type) {
	case durable.Send:
		w.learn(c.Text)
		w.note(n, "send %s %s", join(c.To), c.Text)
	case durable.Close:
		w.note(n, "close %s %d %s", c.Conn, c.Code, c.Reason)
		n.disconnect(c.Conn)
	case durable.Respond:
		if n.answer(c.Request) { // what follows a first answer is passed over
			w.note(n, "respond %s %d %s %s", c.Request, c.Status, table(c.Header), c.Body)
		}
	case durable.Begin:
		w.begin(n, c)
	case durable.SetAlarm:
		n.alarm, n.alarmFailures = c.At, 0
		w.note(n, "alarm %s", w.relative(c.At))
	case durable.StartTimer:
		n.timers[c.Timer] = w.now + c.After
		w.note(n, "timer %s %d", c.Timer, c.After)
	case durable.StopTimer:
		delete(n.timers, c.Timer)
		w.note(n, "stop %s", c.Timer)
	case durable.Fetch:
		n.fetches, n.cancelled = append(n.fetches, c.Fetch), false
		w.note(n, "fetch %s %s %s%s %s", c.Fetch, c.Method, c.URL, headers(c.Header), c.Body)
	case durable.CancelFetch:
		n.fetches = slices.DeleteFunc(n.fetches, func(f string) bool { return f == c.Fetch })
		n.cancelled = len(n.fetches) == 0
		w.note(n, "cancel %s", c.Fetch)
	case durable.Log:
		w.note(n, "log %s %q %s", c.Level, c.Message, strings.Join(c.Fields, " "))
	default:
		w.carry(n, c)
	}
}

// learn records the message id of a request's answer, so that scripts can refer to it.
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
