package protocol_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"unsafe"

	"github.com/tributary-agents/tributary/durable/protocol"
)

func TestParseFrame(t *testing.T) {
	tests := []struct {
		name, text string
		want       protocol.Frame
	}{
		{
			"chat request", `{"id":"R","init":{"method":"POST","body":"{}"},"type":"cf_agent_use_chat_request"}`,
			protocol.ChatRequest{ID: "R", Method: "POST", Body: "{}"},
		},
		{"cancel", `{"id":"R","type":"cf_agent_chat_request_cancel"}`, protocol.Cancel{ID: "R"}},
		{"clear", `{"type":"cf_agent_chat_clear"}`, protocol.Clear{}},
		{"push of nothing", `{"messages":[],"type":"cf_agent_chat_messages"}`, protocol.PushMessages{List: []protocol.Listed{}}},
		{"probe", `{"type":"cf_agent_stream_resume_request","probeId":"p"}`, protocol.ResumeRequest{ProbeID: "p"}},
		{"probe of an old client", `{"type":"cf_agent_stream_resume_request"}`, protocol.ResumeRequest{}},
		{"acknowledgement", `{"type":"cf_agent_stream_resume_ack","id":"R"}`, protocol.ResumeAck{ID: "R"}},
		{"state", `{"type":"cf_agent_state","state":null}`, protocol.SetState{State: json.RawMessage("null")}},
		{
			"call", `{"args":[1,{"a":2}],"id":"c","method":"add","type":"rpc"}`,
			protocol.Call{ID: "c", Method: "add", Args: []json.RawMessage{json.RawMessage("1"), json.RawMessage(`{"a":2}`)}},
		},
		{
			"tool result", `{"type":"cf_agent_tool_result","toolCallId":"c","toolName":"","output":{"a":1},"autoContinue":true}`,
			protocol.ToolResult{CallID: "c", Output: json.RawMessage(`{"a":1}`), Continue: true},
		},
		{
			"tool result without output", `{"type":"cf_agent_tool_result","toolCallId":"c","state":"output-available","autoContinue":true}`,
			protocol.ToolResult{CallID: "c", Output: json.RawMessage(`null`), Continue: true},
		},
		{
			"tool's failure", `{"type":"cf_agent_tool_result","toolCallId":"c","state":"output-error","autoContinue":false}`,
			protocol.ToolResult{CallID: "c", Output: json.RawMessage(`null`), Failure: "Tool execution denied by user"},
		},
		{
			"approval", `{"type":"cf_agent_tool_approval","toolCallId":"c","approved":true,"autoContinue":true}`,
			protocol.ToolApproval{CallID: "c", Approved: true, Continue: true},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := protocol.ParseFrame(tt.text)
			if err != nil || !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got %#v, %v, want %#v", got, err, tt.want)
			}
		})
	}
}

func TestParseFrameRefuses(t *testing.T) {
	long := strings.Repeat("x", protocol.Limits.ID+1)
	tests := []struct{ name, text, id, reason string }{
		{"no JSON", `nope`, "", "not JSON"},
		{"not UTF-8", "{\"type\":\"\xff\"}", "", "UTF-8"},
		{"unknown type", `{"type":"x","id":"i"}`, "i", "unknown frame type"},
		{"no type", `{}`, "", "unknown frame type"},
		{"wrong type of a field", `{"type":"rpc","id":"i","method":7}`, "i", "right shape"},
		{"number beyond all bounds", `{"type":"rpc","id":1e999}`, "", "right shape"},
		{"chat request without init", `{"type":"cf_agent_use_chat_request","id":"i"}`, "i", "without id or init"},
		{"long id", `{"type":"cf_agent_chat_request_cancel","id":"` + long + `"}`, "", "longer than"},
		{"too many arguments", `{"type":"rpc","id":"i","method":"m","args":[` + strings.Repeat("1,", protocol.Limits.Args) + `1]}`, "i", "args: more than"},
		{"state frame without state", `{"type":"cf_agent_state"}`, "", "without state"},
		{"push without messages", `{"type":"cf_agent_chat_messages"}`, "", "not a list"},
		{"tool result for nobody", `{"type":"cf_agent_tool_result","output":1}`, "", "without toolCallId"},
		{"approval that says nothing", `{"type":"cf_agent_tool_approval","toolCallId":"c"}`, "", "without toolCallId or approved"},
		{"tool call with a long id", `{"type":"cf_agent_tool_approval","toolCallId":"` + long + `","approved":true}`, "", "longer than"},
		{"rpc frame without args", `{"type":"rpc","id":"i","method":"m"}`, "i", "not a list"},
		{"messages without end", `{"type":"cf_agent_chat_messages","messages":[` + strings.Repeat(`{"id":"u","role":"user","parts":[]},`, protocol.Limits.Messages) + `{}]}`, "", "more than"},
		{"push of a bad message", `{"type":"cf_agent_chat_messages","messages":[{"parts":[]}]}`, "", "no id"},
		{"frame beyond the limit", `{"type":"cf_agent_chat_clear","x":"` + strings.Repeat("x", protocol.Limits.Frame) + `"}`, "", "at most"},
		{"request beyond the limit", `{"id":"R","init":{"body":"` + strings.Repeat("x", protocol.Limits.Frame) + `"},"type":"cf_agent_use_chat_request"}`, "R", "at most"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			frame, err := protocol.ParseFrame(tt.text)
			var bad *protocol.FrameError
			if !errors.As(err, &bad) {
				t.Fatalf("got %#v, %v, want a FrameError", frame, err)
			}
			if bad.ID != tt.id || !strings.Contains(bad.Error(), tt.reason) {
				t.Errorf("got id %q, %v; want id %q, %q", bad.ID, bad, tt.id, tt.reason)
			}
		})
	}
}

func TestParseChatBodyRefuses(t *testing.T) {
	tests := []struct{ name, body, reason string }{
		{"empty", ``, "not JSON"},
		{"no messages", `{}`, "not a list"},
		{"an empty list", `{"messages":[]}`, "without messages"},
		{"a message without id", `{"messages":[{"role":"user","parts":[]}]}`, "no id"},
		{"a message without parts", `{"messages":[{"id":"u","role":"user"}]}`, "parts: not a list"},
		{"parts without end", `{"messages":[{"id":"u","role":"user","parts":[` + strings.Repeat(`{"type":"text"},`, protocol.Limits.Parts) + `{"type":"text"}]}]}`, "more than"},
		{"a strange role", `{"messages":[{"id":"u","role":"robot","parts":[]}]}`, "role"},
		{"a part without type", `{"messages":[{"id":"u","role":"user","parts":[{}]}]}`, "part 0"},
		{"a part that is no object", `{"messages":[{"id":"u","role":"user","parts":[7]}]}`, "part 0"},
		{"a strange trigger", `{"messages":[{"id":"u","role":"user","parts":[]}],"trigger":"x"}`, "trigger"},
		{
			"a message beyond the limit",
			`{"messages":[{"id":"u","role":"user","parts":[{"type":"text","text":"` + strings.Repeat("x", protocol.Limits.Message) + `"}]}]}`, "at most",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := protocol.ParseChatBody(tt.body); err == nil || !strings.Contains(err.Error(), tt.reason) {
				t.Errorf("got %v, want %q", err, tt.reason)
			}
		})
	}
}

func FuzzParseFrame(f *testing.F) {
	f.Add(`{"id":"R","init":{"method":"POST","body":"{}"},"type":"cf_agent_use_chat_request"}`)
	f.Add(`{"type":"cf_agent_chat_messages","messages":[{"id":"u","role":"user","parts":[{"type":"text"}]}]}`)
	f.Add(`{"type":"rpc","id":"i","method":"m","args":[1]}`)
	f.Fuzz(func(t *testing.T, text string) {
		frame, err := protocol.ParseFrame(text)
		if (frame == nil) == (err == nil) {
			t.Errorf("got %#v and %v", frame, err)
		}
	})
}

func FuzzParseChatBody(f *testing.F) {
	f.Add(`{"messages":[{"id":"u","role":"user","parts":[{"type":"text","text":"x"}]}],"trigger":"submit-message"}`)
	f.Fuzz(func(t *testing.T, body string) {
		got, err := protocol.ParseChatBody(body)
		if err != nil {
			return
		}
		for _, m := range got.UserMessages {
			if _, err := protocol.DecodeMessage(string(m.Encode())); err != nil {
				t.Errorf("accepted a message that does not survive: %v", err)
			}
		}
	})
}

// TestIDsDoNotKeepTheirFrame checks that the ids of a frame, which an object keeps, share no memory with the frame, which may
// have megabytes.
func TestIDsDoNotKeepTheirFrame(t *testing.T) {
	padding := strings.Repeat("x", 1<<10)
	for _, text := range []string{
		`{"type":"cf_agent_use_chat_request","id":"r1","init":{"method":"POST","body":"` + padding + `"}}`,
		`{"type":"cf_agent_chat_request_cancel","id":"r1","padding":"` + padding + `"}`,
		`{"type":"cf_agent_stream_resume_request","probeId":"p1","padding":"` + padding + `"}`,
		`{"type":"cf_agent_stream_resume_ack","id":"r1","padding":"` + padding + `"}`,
		`{"type":"rpc","id":"c1","method":"runs","args":["` + padding + `"]}`,
		`{"type":"cf_agent_tool_result","toolCallId":"t1","output":"` + padding + `"}`,
		`{"type":"cf_agent_tool_approval","toolCallId":"t1","approved":true,"padding":"` + padding + `"}`,
	} {
		frame, err := protocol.ParseFrame(text)
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		switch f := frame.(type) {
		case protocol.ChatRequest:
			ids = []string{f.ID}
		case protocol.Cancel:
			ids = []string{f.ID}
		case protocol.ResumeRequest:
			ids = []string{f.ProbeID}
		case protocol.ResumeAck:
			ids = []string{f.ID}
		case protocol.Call:
			ids = []string{f.ID, f.Method}
		case protocol.ToolResult:
			ids = []string{f.CallID}
		case protocol.ToolApproval:
			ids = []string{f.CallID}
		}
		if len(ids) == 0 {
			t.Errorf("%T has no id", frame)
		}
		from := uintptr(unsafe.Pointer(unsafe.StringData(text)))
		for _, id := range ids {
			at := uintptr(unsafe.Pointer(unsafe.StringData(id)))
			if id == "" || at >= from && at < from+uintptr(len(text)) {
				t.Errorf("%T: the id %q is a part of the frame", frame, id)
			}
		}
	}
}
