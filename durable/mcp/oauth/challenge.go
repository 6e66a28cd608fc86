package oauth

import "strings"

// Challenge is what a server says in the header WWW-Authenticate with the scheme Bearer.
type Challenge struct {
	// Metadata is the address of the server's [Resource], or "".
	Metadata string
	// Scopes are those that the request needs, nil if the server does not say it.
	Scopes []string
	// Error is a code such as [InsufficientScope], or "".
	Error string
}

// maxHeader bounds the header, in bytes. A longer one is not read.
const maxHeader = 8 << 10

// ParseChallenge reads the header, in which several challenges may follow each other. It is false if
// none is of the scheme Bearer.
func ParseChallenge(header string) (c Challenge, ok bool) {
	if len(header) > maxHeader {
		return c, false
	}
	s := scanner{rest: header}
	for !s.end() {
		word := s.token()
		if word == "" {
			s.rest = s.rest[1:] // what cannot be read is passed over
			continue
		}
		value, isParam := s.parameter()
		switch {
		case !isParam && ok:
			return c, true // the next scheme
		case !isParam:
			ok = strings.EqualFold(word, "bearer")
		case ok:
			c.set(strings.ToLower(word), value)
		}
	}
	return c, ok
}

func (c *Challenge) set(name, value string) {
	switch name {
	case "resource_metadata":
		c.Metadata = value
	case "scope":
		c.Scopes = Scopes(value)
	case "error":
		c.Error = value
	}
}

// scanner reads the words of a header.
type scanner struct{ rest string }

// end skips what is between two parameters.
func (s *scanner) end() bool {
	s.rest = strings.TrimLeft(s.rest, " \t\r\n,")
	return s.rest == ""
}

func (s *scanner) token() string {
	n := 0
	for n < len(s.rest) && s.rest[n] > ' ' && s.rest[n] < 0x7f && strings.IndexByte(`,="`, s.rest[n]) < 0 {
		n++
	}
	word := s.rest[:n]
	s.rest = s.rest[n:]
	return word
}

// parameter reads the value behind a name, if one follows. What follows a scheme is no value, and
// neither is the padding of a token in base64.
func (s *scanner) parameter() (string, bool) {
	rest := strings.TrimLeft(s.rest, " \t")
	if !strings.HasPrefix(rest, "=") {
		return "", false
	}
	s.rest = strings.TrimLeft(rest[1:], " \t")
	if !strings.HasPrefix(s.rest, `"`) {
		return s.token(), true
	}
	var b strings.Builder
	for i := 1; i < len(s.rest); i++ {
		switch c := s.rest[i]; {
		case c == '"':
			s.rest = s.rest[i+1:]
			return b.String(), true
		case c == '\\' && i+1 < len(s.rest):
			i++
			b.WriteByte(s.rest[i])
		default:
			b.WriteByte(c)
		}
	}
	s.rest = ""
	return b.String(), true
}
