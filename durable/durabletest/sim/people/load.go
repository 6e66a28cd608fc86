package people

import (
	"fmt"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest/browser"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/contract"
)

// Address is the address of the root.
const Address = "/agents/x/room"

// load loads the page of a tab: first the messages, by HTTP.
func (p *People) load(t *Tab) {
	t.loads++
	t.Link = ""
	t.Page, t.Conn = nil, ""
	t.request = fmt.Sprintf("%s.%d", t.Name, t.loads)
	request := t.request
	p.Lanes.Post(t.Name+".get>", func() {
		p.World.Tell(durable.RequestReceived{Request: request, Method: "GET", URL: Address + t.Path + "/get-messages"})
	})
}

func (p *People) reload(t *Tab) {
	p.leave(t)
	p.load(t)
}

// leave closes the page of a tab.
func (p *People) leave(t *Tab) {
	p.Lanes.Drop(t.Name + ".get>")
	p.Lanes.Drop(t.Name + ".get<")
	t.request, t.Page = "", nil
	if t.Conn != "" {
		p.disconnect(t, 1001)
	}
}

// Respond answers an HTTP request. A page that gets no messages begins with none.
func (p *People) Respond(request string, status int, body []byte) {
	for _, t := range p.Tabs {
		if t.request != request || request == "" { // a request that breaks may have been refused already
			continue
		}
		t.request = ""
		p.Lanes.Post(t.Name+".get<", func() {
			if status != 200 {
				body = nil
			}
			p.show(t, request, body)
		})
	}
}

// RefuseWaiting refuses the HTTP requests that wait for an answer, but for one.
func (p *People) RefuseWaiting(status int, except string) {
	for _, t := range p.Tabs {
		if t.request != "" && t.request != except {
			p.Respond(t.request, status, nil)
		}
	}
}

// show begins the page of a tab with its messages.
func (p *People) show(t *Tab, request string, messages []byte) {
	if t.greeting == "" {
		t.Page = browser.New(request, p.World.Now, messages)
	} else {
		t.Page = browser.NewAsking(request, p.World.Now, messages, t.greeting)
		t.greeting = ""
	}
	if p.Mode.Questions && p.Mode.Own == nil {
		t.Page.Tools = contract.ClientTools
	}
	if p.Mounted != nil {
		p.Mounted(t.Page, messages)
	}
	p.Attend(t)
}

// SeverLoad breaks the request for messages on a lane, before or after the object has handled it,
// and says whether the lane is one of such a request.
func (p *People) SeverLoad(lane string) bool {
	name, isRequest := strings.CutSuffix(strings.TrimRight(lane, "<>"), ".get")
	if !isRequest {
		return false
	}
	t := p.Tab(name)
	if t == nil || !p.Lanes.Waits(lane) {
		return true
	}
	p.Lanes.Drop(lane)
	if strings.HasSuffix(lane, ">") {
		p.Respond(t.request, 502, nil)
	} else {
		p.show(t, fmt.Sprintf("%s.%d", t.Name, t.loads), nil)
	}
	return true
}
