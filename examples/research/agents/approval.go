package agents

import (
	"encoding/json"

	"github.com/tributary-agents/tributary/durable/agent"

	"research/web"
)

// hostsVar is the variable with the hosts whose pages are read without asking, see [web.Hosts].
const hostsVar = "RESEARCH_HOSTS"

// pages counts the pages of a Researcher: those that its searches have found, and those that it has
// asked for. It is the agent's state.
type pages struct {
	Found int `json:"found"`
	Asked int `json:"asked"`
}

func pagesIn(c *agent.Conversation) (p pages) {
	if json.Unmarshal(c.State(), &p) != nil {
		return pages{} // none yet
	}
	return p
}

// beforeCall completes the input of fetch_page before anybody is asked. Whether a tool needs approval
// is decided by its input alone, so the list of hosts, which is a variable, is looked up here. An
// address that must not be read is refused at once: a person is never asked about it.
func beforeCall(c *agent.Conversation, call *agent.ToolCall) error {
	var in pageCall
	if call.Name != "fetch_page" || json.Unmarshal(call.Input, &in) != nil {
		return nil
	}
	address, err := web.ParseAddress(in.URL)
	if err != nil {
		return err
	}
	p := pagesIn(c)
	p.Asked++
	in = pageCall{
		URL: address.String(), Unlisted: !web.Hosts(c.Var(hostsVar)).Has(address.Host),
		Page: p.Asked, Of: max(p.Found, p.Asked),
	}
	if call.Input, err = json.Marshal(in); err != nil {
		return err
	}
	return c.SetState(p)
}

// afterCall counts the pages that a search has found.
func afterCall(c *agent.Conversation, call *agent.ToolCall) error {
	var found []web.Hit
	if call.Name != "search" || json.Unmarshal(call.Output, &found) != nil {
		return nil
	}
	p := pagesIn(c)
	p.Found += len(found)
	return c.SetState(p)
}
