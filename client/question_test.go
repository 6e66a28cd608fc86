package client_test

import (
	"context"
	"errors"
	"testing"

	"github.com/tributary-agents/tributary/client"
)

type attached struct {
	answer *client.Answer
	err    error
}

func attach(t *testing.T, conv *client.Conversation) chan attached {
	t.Helper()
	result := make(chan attached, 1)
	go func() {
		a, err := conv.Attach(t.Context())
		result <- attached{a, err}
	}()
	return result
}

// TestAttach attaches to an answer that somebody else has asked for: at once, before it begins, and
// on a connection that breaks.
func TestAttach(t *testing.T) {
	s := newServer(t)
	conv, c := s.dial(t, client.Options{})
	result := attach(t, conv)
	c.send(offer("resume_none", "", c.expect("cf_agent_stream_resume_request").ProbeID))
	if r := <-result; !errors.Is(r.err, client.ErrIdle) {
		t.Errorf("got %v", r.err)
	}
	for _, first := range []string{"resuming", "pending"} {
		result = attach(t, conv)
		before := c.expect("cf_agent_stream_resume_request").ProbeID
		c.closeWith(0)
		c = s.next(t)
		c.greet()
		probe := c.expect("cf_agent_stream_resume_request").ProbeID
		if probe == before {
			t.Error("the probe is repeated, which the server leaves unanswered")
		}
		c.send(offer(first, "R"+first, probe))
		if first == "pending" {
			c.send(offer("resuming", "R"+first, ""))
		}
		if ack := c.expect("cf_agent_stream_resume_ack"); ack.ID != "R"+first {
			t.Errorf("acknowledged %s", ack.ID)
		}
		for i, body := range answer {
			c.send(replayed("R"+first, i, body))
		}
		c.send(complete("R"+first), done("R"+first, "completed"))
		r := <-result
		got, err := read(t, r.answer)
		want(t, got, err, answerChunks)
	}
}

// TestAttachToAFollowedAnswer attaches twice to the same answer. Each chunk can be delivered once only.
func TestAttachToAFollowedAnswer(t *testing.T) {
	s := newServer(t)
	conv, c := s.dial(t, client.Options{})
	a, r := say(t, conv, c)
	c.send(chunk(r.ID, 0, answer[3]))
	result := attach(t, conv)
	c.send(offer("resuming", r.ID, c.expect("cf_agent_stream_resume_request").ProbeID))
	if got := <-result; got.answer != nil || !errors.Is(got.err, client.ErrFollowed) {
		t.Errorf("got %v", got)
	}
	c.expect("cf_agent_stream_resume_ack")
	c.send(replayed(r.ID, 0, answer[3]), complete(r.ID), done(r.ID, "completed"))
	got, err := read(t, a)
	want(t, got, err, "text 0 \"Let me \"\n")
}

// TestAttachBehindAnOffer probes after the greeting has offered a stream that ends meanwhile. The
// server takes the probe for the answer to that offer.
func TestAttachBehindAnOffer(t *testing.T) {
	s := newServer(t)
	conv, c := s.dial(t, client.Options{})
	c.send(offer("resuming", "other", ""))
	call(t, conv, c)
	result := attach(t, conv)
	c.expect("cf_agent_stream_resume_request") // is not answered
	c.send(done("other", "completed"))
	if ack := c.expect("cf_agent_stream_resume_ack"); ack.ID != "other" {
		t.Errorf("acknowledged %s", ack.ID)
	}
	c.send(offer("resume_none", "", c.expect("cf_agent_stream_resume_request").ProbeID))
	if r := <-result; !errors.Is(r.err, client.ErrIdle) {
		t.Errorf("got %v", r.err)
	}
}

// TestApprove answers a call twice, on a connection that breaks.
func TestApprove(t *testing.T) {
	s := newServer(t)
	conv, c := s.dial(t, client.Options{})
	for _, approved := range []bool{true, false} {
		taken := make(chan error, 1)
		go func() { taken <- conv.Approve(t.Context(), "c1", approved) }()
		c.expect("cf_agent_tool_approval")
		c.expect("cf_agent_stream_resume_request")
		c.closeWith(0)
		c = s.next(t)
		c.greet()
		if f := c.expect("cf_agent_tool_approval"); f.ToolCallID != "c1" || f.Approved != approved {
			t.Errorf("got %s", f.text)
		}
		c.send(offer("resuming", "other", c.expect("cf_agent_stream_resume_request").ProbeID))
		c.expect("cf_agent_stream_resume_ack") // an offer that answers a probe is not left open
		if err := <-taken; err != nil {
			t.Error(err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := conv.Approve(ctx, "c1", true); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
