package mcpclient

import "github.com/tributary-agents/tributary/durable"

// Consent says for which tool a call is made. It holds for all requests of the call: if the server has another tool by
// then, a person is asked.
type Consent struct {
	// Digest is that of the tool as it was shown to the person who has approved the call, or else as it was when the call
	// began. It is "" before that.
	Digest string `json:"digest,omitempty"`
	// Approved says that a person has approved the call of the tool with that Digest.
	Approved bool `json:"approved,omitempty"`
}

// Holds says whether a call with the consent can be made of a tool as it is now. needed says that the tool needs the
// approval of a person.
func (c Consent) Holds(t Tool, needed bool) bool {
	if c.Digest == "" || c.Digest != t.Digest {
		return c.Digest == "" && !needed
	}
	return c.Approved || !needed
}

// Unlisted is the digest of a tool that a server has not named among those that it offers.
const Unlisted = "unlisted"

// Digest returns the digest of a tool as a server offers it now. It is "" if nobody knows yet what the server offers.
func (s *Server) Digest(tool string) string {
	if t, ok := s.Tool(tool); ok {
		return t.Digest
	}
	if s.ReadAt == 0 {
		return ""
	}
	return Unlisted
}

// Same says whether a server offers the tool of a digest still, so that a request which may have reached it can be made
// again.
func (r *Servers) Same(tx *durable.Tx, server, tool, digest string) bool {
	s := r.Find(tx, server)
	return digest == "" || s != nil && s.Digest(tool) == digest
}
