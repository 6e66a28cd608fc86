package people

import (
	"encoding/json"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest/browser"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/contract"
)

// Tab is a tab of a browser: its page, and the connection of the page.
type Tab struct {
	Name string
	// Path is what its addresses have behind the object's: "", or the path of a helper.
	Path string
	// Page is nil until the messages have come that it begins with.
	Page *browser.Tab
	// Conn is its socket, or "".
	Conn durable.ConnID
	// Lost says that something that it had sent was lost on its way.
	Lost bool
	// Clearing says that its request to clear the conversation has not arrived.
	Clearing bool
	// greeting is what its page sends as it mounts, or "".
	greeting string
	// request is the HTTP request for messages that it waits for, or "".
	request string
	// probe is the last probe that it has sent, chatRequest its last request for an answer, each
	// with its connection.
	probe, chatRequest     string
	probeConn, requestConn durable.ConnID
	// Link is the link by which the page has people sign in to a server, or "".
	Link string
	// loads and sockets count pages and sockets, so that no name is used twice.
	loads, sockets int
}

// Connected says whether the tab has an open connection.
func (t *Tab) Connected() bool { return t.Page != nil && t.Page.Open() }

// CallsMethods says whether the page of the tab may call methods of the root.
func (t *Tab) CallsMethods() bool { return t.Path == "" && t.Page != nil && t.Page.Identified }

// CanType says whether a person types something now. People do not type between the connection and
// its transcript, nor between a stop and the end that follows it. The client would lose such a
// message until the next transcript, also with its own server.
func (t *Tab) CanType() bool {
	p := t.Page
	return !p.Busy() && p.Identified == p.Open() && !p.Stopping() && !p.Buffered()
}

// Out returns the lane of the frames that the tab sends.
func (t *Tab) Out() string { return string(t.Conn) + ">" }

// In returns the lane of the frames that the tab is sent.
func (t *Tab) In() string { return string(t.Conn) + "<" }

// readLink reads the link by which people sign in to the vault.
func (t *Tab) readLink(text string) {
	if !strings.Contains(text, `"cf_agent_mcp_servers"`) {
		return
	}
	var f struct {
		Type string
		MCP  struct {
			Servers map[string]struct {
				AuthURL string `json:"auth_url"`
			}
		}
	}
	if json.Unmarshal([]byte(text), &f) == nil && f.Type == "cf_agent_mcp_servers" {
		t.Link = f.MCP.Servers[contract.Vault].AuthURL
	}
}
