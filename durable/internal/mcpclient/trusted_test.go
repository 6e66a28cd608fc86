package mcpclient

import (
	"fmt"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/mcp"
)

// trusting is the storage of servers in a test.
type trusting struct {
	storage durable.Storage
	r       *Servers
	s       *Server
}

func newTrusting(t *testing.T) *trusting {
	h := &trusting{storage: durabletest.Memory(t), r: New(Config{}), s: &Server{ID: "docs", Name: "docs"}}
	durable.Migrate(h.tx(), Schema)
	h.r.loaded, h.r.list = true, []*Server{h.s}
	return h
}

func (h *trusting) tx() *durable.Tx { return durable.NewTx(1, h.storage, durabletest.Rand(1)) }

// offer has the server offer tools, and returns those that are marked.
func (h *trusting) offer(t *testing.T, tools ...Tool) (changed []string) {
	t.Helper()
	if err := h.r.keep(h.tx(), h.s, Offer{Tools: tools}); err != nil {
		t.Fatal(err)
	}
	for _, tool := range h.s.Offer.Tools {
		if tool.Changed {
			changed = append(changed, tool.Name)
		}
	}
	return changed
}

func (h *trusting) rows() int64 { return h.tx().Number(`SELECT COUNT(*) FROM mcp_trusted`) }

// flood returns as many tools as a server can offer, with names that begin with a letter.
func flood(letter string) (tools []Tool) {
	for i := range mcp.MaxTools {
		tools = append(tools, Tool{Name: fmt.Sprintf("%s%04d", letter, i), Digest: "d" + letter})
	}
	return tools
}

// TestTrustNamesTheDigest checks that a tool is trusted as what a person was shown, and as nothing else.
func TestTrustNamesTheDigest(t *testing.T) {
	h := newTrusting(t)
	h.offer(t, Tool{Name: "pay", Digest: "1"})
	if got := h.offer(t, Tool{Name: "pay", Digest: "2"}); fmt.Sprint(got) != "[pay]" {
		t.Fatalf("marked are %v", got)
	}
	for _, other := range []string{"", "1", "3", Unlisted} {
		if h.r.Trust(h.tx(), "docs", "pay", other); !h.s.Offer.Tools[0].Changed {
			t.Errorf("the digest %q is trusted", other)
		}
	}
	if h.r.Trust(h.tx(), "docs", "pay", "2"); h.s.Offer.Tools[0].Changed {
		t.Error("what was shown is not trusted")
	}
	if got := h.offer(t, Tool{Name: "pay", Digest: "2"}); got != nil {
		t.Errorf("marked are %v", got)
	}
}

// TestTrustedRowsAreBounded checks that the rows of a server have an end, whatever it offers, and that a tool which was
// forgotten is not new.
func TestTrustedRowsAreBounded(t *testing.T) {
	h := newTrusting(t)
	pay := Tool{Name: "pay", Digest: "1"}
	h.offer(t, pay)
	h.offer(t, flood("a")...)
	if got := h.offer(t, append(flood("b")[:mcp.MaxTools-1], pay)...); got != nil || h.rows() != 2*mcp.MaxTools {
		t.Fatalf("at the limit there are %d rows, and marked are %v", h.rows(), got)
	}
	for _, letter := range []string{"c", "d", "x", "y", "z"} {
		h.offer(t, flood(letter)...)
		if h.rows() > maxTrusted {
			t.Fatalf("%d rows are kept", h.rows())
		}
	}
	if got := h.offer(t, Tool{Name: "pay", Digest: "evil"}, Tool{Name: "new", Digest: "1"}); fmt.Sprint(got) != "[pay new]" {
		t.Errorf("marked are %v: a tool that was forgotten counts as new", got)
	}
	h.r.Trust(h.tx(), "docs", "new", "1")
	if got := h.offer(t, Tool{Name: "pay", Digest: "evil"}, Tool{Name: "new", Digest: "1"}); fmt.Sprint(got) != "[pay]" {
		t.Errorf("marked are %v", got)
	}
}

// TestRefreshIsBounded checks that a refresh reads as many rows as tools are offered, and makes few statements, whatever an
// earlier version has stored.
func TestRefreshIsBounded(t *testing.T) {
	h := newTrusting(t)
	h.tx().SQL(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) INSERT INTO mcp_trusted (server, tool, digest) SELECT 'docs', 'old' || i, 'd' FROM n`)
	counted := &counting{Storage: h.storage}
	h.storage = counted
	for letter := 'a'; letter <= 'z'; letter++ {
		counted.rows, counted.statements = 0, 0
		h.offer(t, flood(string(letter))...)
		if counted.rows > mcp.MaxTools+8 || counted.statements > 8 {
			t.Fatalf("%c: %d rows in %d statements", letter, counted.rows, counted.statements)
		}
	}
	if h.rows() > maxTrusted {
		t.Errorf("%d rows are kept", h.rows())
	}
}

// counting counts what is asked of a storage.
type counting struct {
	durable.Storage
	rows, statements int
}

// SQL implements [durable.Storage].
func (c *counting) SQL(statement string, args []any) ([]durable.Row, error) {
	rows, err := c.Storage.SQL(statement, args)
	c.rows, c.statements = c.rows+len(rows), c.statements+1
	return rows, err
}
