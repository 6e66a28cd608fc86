package mcpclient

import (
	"testing"

	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/mcp"
)

// FuzzReceiver checks that no response traps, that pieces mean nothing, and that what is journaled of an
// answer can be read again.
func FuzzReceiver(f *testing.F) {
	answer := `{"jsonrpc":"2.0","id":"a","result":{"resultType":"complete","content":[]}}`
	f.Add(200, "application/json", answer, 5)
	f.Add(200, "text/event-stream", ": alive\n\nid: 1\ndata: "+answer+"\n\n", 20)
	f.Add(200, "text/event-stream", "data: "+answer+"\n\ndata: "+answer+"\n\n", 90)
	f.Add(400, "application/json", `{"jsonrpc":"2.0","id":"a","error":{"code":-32022,"message":"no","data":{"supported":["2026-07-28"]}}}`, 1)
	f.Add(404, "text/html", "<html>", 3)
	f.Add(202, "", "", 0)
	f.Fuzz(func(t *testing.T, status int, kind, body string, at int) {
		for _, version := range []string{mcp.Version, mcp.LegacyVersion} {
			read := func(pieces ...string) (*Receiver, flow.Response, error) {
				r := NewReceiver(version, mcp.TextID("a"), status, map[string]string{"content-type": kind})
				for _, piece := range pieces {
					enough, err := r.Feed(nil, []byte(piece))
					if err != nil {
						return r, flow.Response{}, err
					}
					if enough {
						break
					}
				}
				kept, err := r.End()
				return r, kept, err
			}
			at = min(max(at, 0), len(body))
			whole, kept, errWhole := read(body)
			parts, _, errParts := read(body[:at], body[at:])
			if errWhole == nil && (errParts != nil || whole.Answer.Result.JSON() != parts.Answer.Result.JSON()) {
				t.Fatalf("in pieces: %v, %s; as a whole: %s", errParts, parts.Answer.Result.JSON(), whole.Answer.Result.JSON())
			}
			if errWhole != nil || !whole.Answer.Result.Exists() {
				continue
			}
			if m, err := mcp.ParseMessage(kept.Body); err != nil || m.Result.JSON() != whole.Answer.Result.JSON() {
				t.Fatalf("%v: %s is journaled as %s", err, whole.Answer.Result.JSON(), kept.Body)
			}
		}
	})
}
