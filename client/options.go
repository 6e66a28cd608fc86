package client

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/tributary-agents/tributary/durable/protocol"
)

// Options say which conversation to open, and with which limits. A limit that is 0 has its default.
type Options struct {
	// Agent is the agent's class, such as "Assistant", or its path segment, such as "assistant".
	Agent string
	// Name is the conversation's name, at most 256 bytes; "default" if it is "". It goes into the path
	// as a browser would put it there, so percent signs stay as they are.
	Name string
	// Token is sent with every request as a bearer token. A conversation does not renew it: when it
	// expires, everything fails with [ErrUnauthorized], and another conversation has to be opened.
	Token string
	// HTTP makes the requests and the connections; [http.DefaultClient] if it is nil.
	HTTP *http.Client
	// Backoff is about connections that break.
	Backoff Backoff
	// MaxFrame is the largest frame and the largest list of messages that is read, in bytes, and the
	// most that is kept of the texts and calls of one answer. The default is 32 MiB. The transcript of a
	// conversation is one frame.
	MaxFrame int64
	// Buffer is how many chunks of an answer, or events of a run, wait for their reader. The default is
	// 1024. An answer whose reader is slower falls behind, and is replayed from the server's log when
	// the reader has caught up. Events of helpers cannot be replayed that way and are left out;
	// [Conversation.Run] has them all.
	Buffer int
	// BufferBytes is how many bytes of frames wait for their reader, besides the frame that exceeds
	// them. The default is 8 MiB. A reader that is slower falls behind as with Buffer.
	BufferBytes int
	// Ping is how often a connection is checked. The default is 30 s. A connection that does not
	// answer for as long is broken.
	Ping time.Duration
}

// Backoff is how a connection that breaks is made again. The first attempt follows after about Min.
// Each further delay is half as long again, up to Max, and a random part of up to a half is taken
// off each. After so many attempts without success the conversation fails with [ErrLost].
type Backoff struct {
	Min, Max time.Duration // 250 ms and 10 s by default
	Attempts int           // 40 by default
}

// maxName is the longest name that a server takes, in bytes.
const maxName = 256

func (o Options) withDefaults() Options {
	o.Name = cmp.Or(o.Name, "default")
	o.HTTP = cmp.Or(o.HTTP, http.DefaultClient)
	o.Backoff.Min = cmp.Or(o.Backoff.Min, 250*time.Millisecond)
	o.Backoff.Max = cmp.Or(o.Backoff.Max, 10*time.Second)
	o.Backoff.Attempts = cmp.Or(o.Backoff.Attempts, 40)
	o.MaxFrame = cmp.Or(o.MaxFrame, 32<<20)
	o.Buffer = cmp.Or(o.Buffer, 1024)
	o.BufferBytes = cmp.Or(o.BufferBytes, 8<<20)
	o.Ping = cmp.Or(o.Ping, 30*time.Second)
	return o
}

// address returns the address of the conversation on a server.
func (o Options) address(server string) (*url.URL, error) {
	u, err := url.Parse(server)
	if err != nil {
		return nil, fmt.Errorf("client: address of the server: %w", err)
	}
	switch u.Scheme {
	case "http", "https":
	case "ws":
		u.Scheme = "http"
	case "wss":
		u.Scheme = "https"
	default:
		return nil, fmt.Errorf("client: %q is no address of a server: it has to begin with http:// or https://", server)
	}
	agent, name := protocol.Kebab(o.Agent), segment(o.Name)
	switch {
	case u.Host == "":
		return nil, fmt.Errorf("client: the address %q has no host", server)
	case agent == "" || strings.ContainsAny(agent, "/?#%"):
		return nil, fmt.Errorf("client: %q is no agent", o.Agent)
	case name == "." || name == ".." || len(name) > maxName:
		return nil, fmt.Errorf("client: %.80q is no name of a conversation", o.Name)
	}
	u, err = u.Parse(strings.TrimSuffix(u.EscapedPath(), "/") + "/agents/" + agent + "/" + name)
	if err != nil {
		return nil, fmt.Errorf("client: name of the conversation: %w", errors.Unwrap(err))
	}
	return u, nil
}

// segment escapes what a browser would escape in a path, and the separators of a path.
func segment(name string) string {
	var b strings.Builder
	for i := range len(name) {
		if c := name[i]; c <= ' ' || c >= 0x7f || strings.IndexByte("\"#<>?^`{}/\\", c) >= 0 {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}
