package durabletest

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/tributary-agents/tributary/durable"
)

// Do performs one action of a script:
//
//	var NAME=VALUE, secret NAME    set up the deployment, before anything else
//	connect TAB [QUERY]            a socket opens
//	drill TAB CLASS RUN [QUERY]    a socket to a helper opens; $REQUEST is its run's id
//	close TAB                      a socket closes
//	frame TAB TEXT                 a browser sends a frame
//	binary TAB TEXT                the same, as a binary message
//	say TAB REQUEST LIST           a chat request; LIST is "id: text | $REQUEST | id: text",
//	                               where $REQUEST is the answer that a request got
//	regenerate TAB REQUEST LIST    the same, to generate the answer again
//	probe TAB ID, ack TAB REQUEST  the resume handshake
//	cancel TAB REQUEST, clear TAB  the stop and clear buttons
//	approve TAB CALL, deny TAB CALL, result TAB CALL JSON   what a person, or a tool in the browser, answers
//	get URL                        an HTTP request
//	post URL ID JSON               an HTTP request with a body, named by a number; ID is its Idempotency-Key, or -
//	ask NAME METHOD URL [BODY]     an HTTP request by a name of its own
//	leave NAME                     the reader of a response that was begun goes away
//	as [CLAIMS]                    what the front door has verified about who connects or asks from now on
//	respond STATUS [NAME=VALUE]    the head of the answer to the oldest fetch
//	data TEXT, end, fail TEXT      its body (with Go's escapes), its end, its failure; data
//	                               after a cancellation is lost
//	unsent TEXT                    the failure of a fetch that could not be sent
//	tick, tick DURATION, run       the next timer or alarm; all within a duration; all
//	jump DURATION                  the wall clock moves: alarms that were due meanwhile are late
//	hold, release                  messages between objects are held from now on; all held messages arrive
//	arrive LANE, cut LANE          the next message on a lane arrives, or its call or stream breaks. A lane is
//	                               the receiver and the requester's name, such as :tail/r1 or helper-1:cancel/r1
//	evict [SLOT], crash            an object's memory is lost; all memory and sockets are lost. A helper's helper
//	                               lives in a slot like helper-1/helper-2
func (w *World) Do(line string) error {
	verb, rest, _ := strings.Cut(line, " ")
	first, second, _ := strings.Cut(rest, " ")
	third, fourth, _ := strings.Cut(second, " ")
	tab := durable.ConnID(first)
	frame := func(fields map[string]any) {
		w.deliver(w.root, w.claim(durable.SocketMessage{Conn: tab, Text: stringify(fields)}))
	}
	switch verb {
	case "var":
		name, value, _ := strings.Cut(rest, "=")
		w.vars[name] = value
	case "secret":
		w.secrets = append(w.secrets, rest)
	case "connect":
		w.deliver(w.root, w.connect(durable.SocketOpened{Conn: tab, URL: strings.TrimSuffix("/agents/x/room?_pk="+first+"&"+second, "&")}))
	case "drill":
		run, query, _ := strings.Cut(fourth, " ")
		w.deliver(w.root, w.connect(durable.SocketOpened{Conn: tab, URL: "/agents/x/room/sub/" + third + "/" + run + strings.TrimSuffix("?_pk="+first+"&"+query, "&")}))
	case "close":
		w.root.disconnect(tab)
		w.deliver(w.root, durable.SocketClosed{Conn: tab, Code: 1001})
	case "frame":
		w.deliver(w.root, w.claim(durable.SocketMessage{Conn: tab, Text: second}))
	case "binary":
		w.deliver(w.root, w.claim(durable.SocketMessage{Conn: tab, Binary: true, Data: []byte(second)}))
	case "say":
		frame(w.chatRequest(third, "submit-message", fourth))
	case "regenerate":
		frame(w.chatRequest(third, "regenerate-message", fourth))
	case "probe":
		frame(map[string]any{"type": "cf_agent_stream_resume_request", "probeId": second})
	case "ack":
		frame(map[string]any{"type": "cf_agent_stream_resume_ack", "id": second})
	case "cancel":
		frame(map[string]any{"type": "cf_agent_chat_request_cancel", "id": second})
	case "clear":
		frame(map[string]any{"type": "cf_agent_chat_clear"})
	case "approve", "deny":
		frame(map[string]any{"type": "cf_agent_tool_approval", "toolCallId": second, "approved": verb == "approve", "autoContinue": true})
	case "result":
		frame(map[string]any{"type": "cf_agent_tool_result", "toolCallId": third, "toolName": "", "output": json.RawMessage(fourth), "autoContinue": true})
	case "get":
		w.deliver(w.root, durable.RequestReceived{Request: "http", Method: "GET", URL: rest, Claims: w.claims})
	case "post":
		w.posts++
		header := map[string]string{"content-type": "application/json"}
		if third != "-" {
			header["idempotency-key"] = third
		}
		w.deliver(w.root, durable.RequestReceived{Request: "http" + strconv.Itoa(w.posts), Method: "POST", URL: first, Header: header, Claims: w.claims, Body: []byte(fourth)})
	case "ask":
		url, body, _ := strings.Cut(fourth, " ")
		w.deliver(w.root, durable.RequestReceived{Request: first, Method: third, URL: url, Body: []byte(body), Claims: w.claims})
	case "leave":
		if !w.Leave(first) {
			return fmt.Errorf("leave: nobody reads a response to %s", first)
		}
	case "as":
		w.As(rest)
	case "tick":
		return w.tickFor(rest)
	case "jump":
		d, err := time.ParseDuration(rest)
		if err != nil {
			return err
		}
		w.Advance(w.now + d.Milliseconds())
	case "run":
		for range 10_000 {
			if !w.tick(1 << 60) {
				return nil
			}
		}
		return fmt.Errorf("still running after 10000 events")
	case "hold":
		w.held = true
	case "release":
		w.held = false
		w.drain()
	case "arrive", "cut":
		done := w.Deliver
		if verb == "cut" {
			done = func(lane string, _ ...int) bool { return w.Cut(lane) }
		}
		if !done(rest) {
			return fmt.Errorf("%s: nothing is on its way on %s, but on %v", verb, rest, w.Lanes())
		}
	case "evict":
		if !w.Evict(rest) {
			return fmt.Errorf("evict: nobody lives in %s", rest)
		}
		w.drain()
	case "crash":
		w.crash()
	default:
		return w.fetched(verb, rest)
	}
	return nil
}

func (w *World) tickFor(duration string) error {
	if duration == "" {
		w.tick(1 << 60)
		return nil
	}
	d, err := time.ParseDuration(duration)
	if err != nil {
		return err
	}
	for until := w.now + d.Milliseconds(); ; {
		if !w.tick(until) {
			w.now = until
			return nil
		}
	}
}

// fetched delivers an event of the oldest fetch.
func (w *World) fetched(verb, rest string) error {
	var n *node
	cancelled := false
	for _, candidate := range w.nodes() {
		if n == nil && len(candidate.fetches) > 0 {
			n = candidate
		}
		cancelled = cancelled || candidate.cancelled
	}
	if n == nil && cancelled && verb == "data" { // a server still sends until it learns of the cancellation
		return nil
	}
	if n == nil {
		return fmt.Errorf("%s: no such action, or no fetch is under way", verb)
	}
	id := n.fetches[0]
	switch verb {
	case "respond":
		words := strings.Fields(rest)
		status, err := strconv.Atoi(words[0])
		if err != nil {
			return err
		}
		header := map[string]string{}
		for _, word := range words[1:] {
			name, value, _ := strings.Cut(word, "=")
			header[name] = value
		}
		w.deliver(n, durable.FetchResponded{Fetch: id, Status: status, Header: header})
	case "data":
		text, err := strconv.Unquote(`"` + strings.ReplaceAll(rest, `"`, `\"`) + `"`)
		if err != nil {
			return err
		}
		w.deliver(n, durable.FetchChunk{Fetch: id, Data: []byte(text)})
	case "end":
		n.fetches = n.fetches[1:]
		w.deliver(n, durable.FetchEnded{Fetch: id})
	case "fail", "unsent":
		n.fetches = n.fetches[1:]
		w.deliver(n, durable.FetchFailed{Fetch: id, Error: rest, Unsent: verb == "unsent"})
	default:
		return fmt.Errorf("%s: no such action", verb)
	}
	return nil
}

// chatRequest returns the frame that the client sends for its list of messages.
func (w *World) chatRequest(id, trigger, list string) map[string]any {
	messages := []any{}
	for item := range strings.SplitSeq(list, " | ") {
		message, text, _ := strings.Cut(item, ": ")
		role := "user"
		if request, ok := strings.CutPrefix(message, "$"); ok {
			message, role = w.replies[request], "assistant"
		}
		messages = append(messages, map[string]any{
			"id": message, "role": role, "parts": []any{map[string]any{"type": "text", "text": text}},
		})
	}
	body := stringify(map[string]any{"messages": messages, "trigger": trigger})
	return map[string]any{
		"type": "cf_agent_use_chat_request", "id": id, "init": map[string]any{"method": "POST", "body": body},
	}
}

// stringify writes JSON as a browser does, without escaping <, > and &.
func stringify(v any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// Take returns the notes since its last call.
func (w *World) Take() []string {
	out := w.out
	w.out = nil
	return out
}
