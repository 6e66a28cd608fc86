package abi

import (
	"math"

	"github.com/tributary-agents/tributary/durable"
)

// events has one of every kind, and the shapes that encoders get wrong.
var events = []durable.Event{
	durable.Opened{
		Class: "Assistant", Name: "über\x00 alles", Conns: []durable.ConnID{"a", "b"},
		Vars: map[string]string{"b": "2", "a": "1"}, Secrets: []string{"MODEL_KEY"},
	},
	durable.Opened{},
	durable.SocketOpened{Conn: "a", URL: "/agents/x?y=%20"},
	durable.SocketOpened{
		Conn: "a", URL: "/agents/x", Header: map[string]string{"origin": "https://a.example", "host": "b.example"},
		Claims: `{"sub":"ada","scopes":["pay"],"exp":1700000000}`,
	},
	durable.SocketMessage{Conn: "a", Text: "\U0001F600"},
	durable.SocketMessage{Conn: "a", Text: "pay", Claims: `{"sub":"ada","scopes":[],"exp":0}`},
	durable.SocketMessage{Conn: "a", Binary: true, Data: []byte{0, 127, 128, 255}},
	durable.SocketMessage{Conn: "a", Binary: true, Data: []byte{}},
	durable.SocketClosed{Conn: "a", Code: 1006, Reason: "gone"},
	durable.RequestReceived{Request: "r", Method: "POST", URL: "/", Body: []byte("body")},
	durable.RequestReceived{
		Request: "r", Method: "GET", URL: "/mcp", Header: map[string]string{"mcp-param-x": "ü", "accept": "text/event-stream"},
		Claims: `{"sub":"ada","scopes":["pay"],"exp":1700000000}`,
	},
	durable.AlarmFired{},
	durable.TimerFired{Timer: "t"},
	durable.FetchResponded{Fetch: "f", Status: 429, Header: map[string]string{"retry-after": "1"}},
	durable.FetchChunk{Fetch: "f", Data: []byte("chunk")},
	durable.FetchEnded{Fetch: "f"},
	durable.FetchFailed{Fetch: "f", Error: "broke off", Unsent: true},
	durable.CallReceived{Call: "c", Data: []byte("question")},
	durable.CallReceived{Call: "c"},
	durable.CallAnswered{Call: "c", Data: []byte("answer")},
	durable.CallFailed{Call: "c", Error: "refused"},
	durable.StreamRequested{Stream: "s", Data: []byte("from 7")},
	durable.StreamDrained{Stream: "s"},
	durable.StreamCancelled{Stream: "s"},
	durable.StreamData{Stream: "s", Data: []byte{0, 255}},
	durable.StreamEnded{Stream: "s"},
	durable.StreamFailed{Stream: "s", Error: "broke off"},
}

var commands = []durable.Command{
	durable.Send{To: []durable.ConnID{"a", "b"}, Text: "hello"},
	durable.Send{},
	durable.Close{Conn: "a", Code: 4001, Reason: "why"},
	durable.Respond{Request: "r", Status: 200, Header: map[string]string{"z": "1", "content-type": "text/plain"}, Body: []byte("ok")},
	durable.Begin{Request: "r", Status: 200, Header: map[string]string{"content-type": "text/event-stream"}},
	durable.Begin{Request: "r", Status: 202},
	durable.SetAlarm{At: 1_700_000_000_000},
	durable.SetAlarm{},
	durable.StartTimer{Timer: "t", After: 15},
	durable.StopTimer{Timer: "t"},
	durable.Fetch{
		Fetch: "f", Method: "POST", URL: "https://example.com/", Body: []byte("{}"),
		Header: []durable.Header{{Name: "authorization", Value: "Bearer ", Secret: "MODEL_KEY"}, {Name: "accept", Value: "*/*"}},
	},
	durable.Fetch{Fetch: "f", Method: "POST", URL: durable.BindingURL("AI", "@cf/a/b"), Body: []byte(`{"stream":true}`)},
	durable.CancelFetch{Fetch: "f"},
	durable.Log{Level: durable.Warn, Message: "careful", Fields: []string{"key", "value"}},
	durable.Call{Call: "c", To: durable.Facet{Slot: "1", Class: "Researcher"}, Data: []byte("question")},
	durable.Answer{Call: "c", Data: []byte("answer")},
	durable.Answer{Call: "c", Error: "refused"},
	durable.OpenStream{Stream: "s", From: durable.Facet{Slot: "1", Class: "Researcher"}, Data: []byte("from 7")},
	durable.CancelStream{Stream: "s"},
	durable.Emit{Stream: "s", Data: []byte{0, 255}},
	durable.Emit{Stream: "s", Data: []byte{}},
	durable.EndStream{Stream: "s"},
	durable.DeleteFacet{Slot: "1"},
	durable.EvictFacet{Slot: "1"},
}

// values are what a column can hold; integers stop where JavaScript's do.
var values = []any{
	nil, int64(0), int64(-1), int64(127), int64(128), int64(-33), int64(65536), int64(1 << 40),
	int64(1<<53 - 1), int64(-(1<<53 - 1)), 1.5, -2.5e300, math.SmallestNonzeroFloat64,
	"", "text",
	[]byte{},
	[]byte{1, 2},
}

func replies() []Reply {
	out := []Reply{{Status: Unopened}, {Status: Refused, Error: "why"}, {Busy: true, Commands: commands}}
	for _, c := range commands {
		out = append(out, Reply{Commands: []durable.Command{c}})
	}
	return out
}

func statements() []Statement {
	return []Statement{{SQL: "SELECT 1"}, {SQL: "SELECT ?", Number: 1, Args: values}, {Number: MaxStatements}}
}

func results() []Result {
	return []Result{{}, {Error: "no such table"}, {Rows: []durable.Row{values, {"x"}}}}
}
