package chat

import (
	"net/url"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/internal/mcpclient"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/protocol"
)

// route is one kind of HTTP request that an object answers.
type route struct {
	// pattern is the path: {word} is one segment, and ... at the place of a segment is any number of them.
	pattern string
	// methods are those that are taken, with commas between them. Another one is answered with 405 and with words that say
	// so. If there are none, the handler decides.
	methods, words string
	// handle answers a request. segments are those at the places of words, decoded.
	handle func(o *Object, tx *durable.Tx, e durable.RequestReceived, segments []string)
	// serves says whether the object answers such requests. It is nil if each object does.
	serves func(o *Object) bool
}

// routes are all requests that an object answers. The first one that fits counts. Those of a helper come to its root. A page
// may have any path in front of its messages: the option basePath of the client says which.
var routes = []route{
	{"/agents/{agent}/{name}/.../sub/{class}/{run}/...", "", "", (*Object).respondSub, nil},
	{"/agents/{agent}/{name}/runs/{run}/signals/{signal}", "POST", "a signal is posted", (*Object).respondSignal, nil},
	{"/agents/{agent}/{name}/approvals/{call}", "POST", "an answer is sent with POST", (*Object).respondApproval, func(o *Object) bool { return !o.agent.Helper }},
	{protocol.CallbackPath, "GET", "this page can only be read", (*Object).respondSignIn, usesServers},
	{"/agents/{agent}/{name}/mcp/authorize", "GET, POST", "this page is read or posted", (*Object).respondSignIn, usesServers},
	{"/agents/{agent}/{name}/mcp", "", "", (*Object).respondProgram, isServer},
	{"/mcp", "", "", (*Object).respondProgram, isServer}, // the front door has this path for one object
	{"/.../get-messages", reads, onlyRead, (*Object).respondMessages, nil},
}

func usesServers(o *Object) bool { return o.servers != nil }
func isServer(o *Object) bool    { return o.mcpServer != nil }

// respond answers an HTTP request, or refuses it if its sender has cost too much.
func (o *Object) respond(tx *durable.Tx, e durable.RequestReceived) {
	if why := o.audience.AdmitRequest(tx, e.Request, e.Claims, len(e.URL)+len(e.Body)); why != "" {
		header := map[string]string{"content-type": "text/plain; charset=utf-8", "cache-control": "no-store", "retry-after": "1"}
		tx.Do(durable.Respond{Request: e.Request, Status: 429, Header: header, Body: []byte(why)})
		return
	}
	path, _, _ := strings.Cut(e.URL, "?")
	if len(path) > limit.Path {
		respondText(tx, e.Request, 414, "URI Too Long")
		return
	}
	for _, r := range routes {
		segments, fits := match(r.pattern, path)
		switch {
		case !fits, r.serves != nil && !r.serves(o):
			continue
		case r.methods != "" && !slices.Contains(strings.Split(r.methods, ", "), e.Method):
			refuseMethod(tx, e.Request, r.methods, r.words)
		default:
			r.handle(o, tx, e, segments)
		}
		return
	}
	respondText(tx, e.Request, 404, "Not implemented")
}

// refuseMethod answers a request whose path takes other methods.
func refuseMethod(tx *durable.Tx, request, methods, words string) {
	header := map[string]string{"content-type": "text/plain; charset=utf-8", "allow": methods}
	tx.Do(durable.Respond{Request: request, Status: 405, Header: header, Body: []byte(words)})
}

// match returns the decoded segments of a path at the places of words in a pattern, and says whether the path fits it.
func match(pattern, path string) (found []string, ok bool) {
	segments, ok := protocol.Segments(path)
	if !ok {
		return nil, false
	}
	wanted, _ := protocol.Segments(pattern)
	return matchSegments(wanted, segments)
}

func matchSegments(wanted, segments []string) (found []string, ok bool) {
	for i, want := range wanted {
		switch {
		case want == "...":
			for skipped := range len(segments) - i + 1 {
				if rest, ok := matchSegments(wanted[i+1:], segments[i+skipped:]); ok {
					return append(found, rest...), true
				}
			}
			return nil, false
		case i >= len(segments), want[0] != '{' && want != segments[i]:
			return nil, false
		case want[0] == '{':
			decoded, err := url.PathUnescape(segments[i])
			if err != nil {
				return nil, false
			}
			found = append(found, decoded)
		}
	}
	return found, len(wanted) == len(segments)
}

// respondSignIn answers a person who signs in at a server.
func (o *Object) respondSignIn(tx *durable.Tx, e durable.RequestReceived, _ []string) {
	o.servers.Respond(tx, e, mcpclient.PersonOf(e.Claims))
}

// respondProgram answers a program that uses the agent.
func (o *Object) respondProgram(tx *durable.Tx, e durable.RequestReceived, _ []string) {
	o.mcpServer.Respond(tx, e, o.granted(e.Claims, agent.TurnInfo{Request: e.Request}))
}
