package mcpcall

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/author"
	"github.com/tributary-agents/tributary/durable/internal/mcpclient"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/mcp"
	"github.com/tributary-agents/tributary/durable/protocol"
)

// This file is the rule that what a person has approved is what runs. A call of a tool has one digest: that of the tool as
// the person was shown it, or else as it was when the call began. It is compared before every request of the call, also
// behind a refusal, a question, a person who has signed in, and a loss. If the server has another tool by then, a person is
// asked again, and the tool is trusted for that answer alone.

// errChanged is the error of a call that nobody can be asked about.
var errChanged = errors.New("the server has changed the tool since the call began, and nobody is asked here: make the call again")

// errGone is the error of a call that needs approvals, and whose tool the server does not offer any more.
var errGone = errors.New("the server does not offer the tool any more")

// ruling is what comes of comparing a tool with the consent for a call.
type ruling struct {
	// Digest is that of the tool for which the call is made, or that Ask shows.
	Digest string `json:"digest,omitempty"`
	// Ask is what a person is asked, a title and a text, or nil.
	Ask []string `json:"ask,omitempty"`
}

// rule compares a tool as its server offers it now with the consent for a call of it.
func (s *Servers) rule(tx *durable.Tx, r *mcpclient.Server, tool string, input json.RawMessage, c mcpclient.Consent, unasked bool) (ruling, error) {
	t, offered := r.Tool(tool)
	now := r.Digest(tool)
	switch {
	case unasked && c.Digest != "" && c.Digest != now:
		return ruling{}, errChanged
	case unasked, s.options.Approve == nil:
		return ruling{Digest: now}, nil
	case !offered:
		return ruling{}, errGone
	}
	info := infoOfTool(r, t)
	if !c.Holds(t, t.Changed || s.options.Approve(info, input)) {
		e := explain(info, input, c.Digest != "" && c.Digest != now)
		return ruling{now, []string{e.Title, e.Text}}, nil
	}
	if c.Approved {
		s.Trust(tx, r.ID, tool, c.Digest)
	}
	return ruling{Digest: now}, nil
}

// consents is [mcpclient.Config.Consents].
func (s *Servers) consents(tx *durable.Tx, r *mcpclient.Server, q *mcpclient.Forwarded) (mcpclient.Reply, bool) {
	if q.Tool == "" || q.Unasked {
		return mcpclient.Reply{}, true
	}
	ruled, err := s.rule(tx, r, q.Tool, q.Input, q.Consent, false)
	switch {
	case err != nil:
		return mcpclient.Reply{Failure: err.Error()}, false
	case ruled.Ask != nil:
		return mcpclient.Reply{Approve: ruled.Ask, Digest: ruled.Digest}, false
	}
	q.Digest = ruled.Digest
	return mcpclient.Reply{}, true
}

// shownDigest is the digest that the question about a call of a tool keeps. It names the server, too.
func shownDigest(server, digest string) string { return server + "/" + digest }

// consentTo returns the consent that comes with a call: shown is the digest of the question that a person has said yes to,
// or "" if nobody was asked.
func consentTo(server, shown string) mcpclient.Consent {
	if shown == "" {
		return mcpclient.Consent{}
	}
	if digest, ok := strings.CutPrefix(shown, server+"/"); ok {
		return mcpclient.Consent{Digest: digest, Approved: true}
	}
	return mcpclient.Consent{Digest: shown} // of another server, whose tool had this name
}

// approve asks a person whether a call may be made of a tool that was not approved, or has changed since.
func (k *Call) approve(ruled ruling) error {
	if k.InJob() {
		return flow.Permanent(author.ErrJobAsks)
	}
	if k.rounds++; k.rounds > maxRounds {
		return k.failed("it has changed the tool whenever a person has approved it")
	}
	shown := shownQuestion{Title: ruled.Ask[0], Text: ruled.Ask[1], Server: k.name, Schema: json.RawMessage(yesNo)}
	q := author.Question{Call: k.Code.Call.ID, Expires: author.DefaultExpiry.Milliseconds(), Schema: shown.Schema}
	var err error
	if q.Input, err = limit.MarshalWithin(shown, limit.Question); err != nil {
		return k.wrap(err)
	}
	switch a, err := said(k.put(q)); {
	case err != nil:
		return unnoted{err}
	case a.Expired:
		return unnoted{errors.New("nobody has approved this call in time")}
	case a.Denied:
		return unnoted{errors.New("a person has denied this call")}
	}
	k.consent = mcpclient.Consent{Digest: ruled.Digest, Approved: true}
	return nil
}

// maxInput is how much of its input an explanation of a call shows, in bytes. It says how much there is.
const maxInput = 1 << 10

// Explanation tells a person what a call would do. Risky says that its tool may destroy something.
type Explanation struct {
	Title, Text string
	Risky       bool
}

// explain explains a call to the person who has to approve it: what is sent, and what the server says of the tool. since
// says that the tool has changed since the call was approved or has begun.
func explain(t ToolInfo, input json.RawMessage, since bool) Explanation {
	whole := t.Name + " at the server " + t.Server
	e := Explanation{Title: mcp.Quote(whole, 128)}
	if e.Title != whole {
		e.Text = "This is " + mcp.Quote(whole, mcp.MaxToolName+mcpclient.MaxName+64) + ".\n"
	}
	e.Text += "It is sent " + protocol.CutOff(mcp.Escaped(string(input)), maxInput) + "\n"
	switch {
	case since:
		e.Text += "The server has changed this tool since the call was approved, or has begun. It says now:\n"
	case t.Changed:
		e.Text += "The server has changed this tool since it was first seen or last approved. It says now:\n"
	}
	e.Text += t.Description
	e.Risky = t.Destructive
	return e
}
