package share_test

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/claims"
	"github.com/tributary-agents/tributary/durable/internal/share"
	"github.com/tributary-agents/tributary/durable/internal/share/sharetest"
)

// TestShares has people take each share in turn.
func TestShares(t *testing.T) {
	for _, s := range []share.Share{share.Streams, share.RunsWaiting(5), share.RunsAtWork(16), {Most: 4, Each: 1, Are: "are there"}} {
		var held share.Held
		take := func(by string) error {
			err := s.Refusal(by, held)
			if err == nil {
				held.Add(by, 1)
			}
			return err
		}
		sharetest.Check(t, s, take, func() int { return held.All() })
		held = share.Held{}
		sharetest.CheckAlone(t, s, take)
	}
}

// TestNothingIsShared checks that a limit of nothing refuses everybody, and that a share never is nothing
// of something.
func TestNothingIsShared(t *testing.T) {
	for _, most := range []int{-1, 0} {
		if share.RunsWaiting(most).Refusal(sharetest.Of("m"), share.Held{}) == nil {
			t.Errorf("one of %d", most)
		}
	}
	for most := 1; most < 20; most++ {
		for _, s := range []share.Share{share.RunsWaiting(most), share.RunsAtWork(most)} {
			if s.Each < 1 || s.Each > s.Most || most >= 4 && s.Each == s.Most {
				t.Errorf("%d of %d for one person: %s", s.Each, s.Most, s.Are)
			}
		}
	}
}

// TestWhoseItIs checks whom something is counted for.
func TestWhoseItIs(t *testing.T) {
	if claims.Person("") != share.Everybody {
		t.Error("the person where nobody signs in has another name")
	}
	s := share.Share{Most: 10, Each: 1, Are: "are there"}
	for _, test := range []struct {
		has, asks string
		refused   bool
	}{
		{`{"sub":"m","scopes":["a"]}`, `{"sub":"m","scopes":[]}`, true},
		{`{"sub":"m"}`, `{"sub":"n"}`, false},
		{`{"sender":"one"}`, `{"sender":"one"}`, true},
		{`{"sender":"one"}`, `{"sender":"two"}`, false},
		{`{"sender":"one"}`, `{}`, false},
		{`{}`, `no JSON`, true},
		{`{"sub":"everybody"}`, `{"sub":"everybody"}`, true},
		{``, ``, false},
		{``, `{"sub":"m"}`, false},
	} {
		var held share.Held
		held.Add(test.has, 1)
		if err := s.Refusal(test.asks, held); (err != nil) != test.refused {
			t.Errorf("%s has one, %s asks for one: %v", test.has, test.asks, err)
		}
	}
	var held share.Held
	held.AddOf("sub m", 3)
	held.AddOf("sub m", -3)
	if held.All() != 0 || held.AnyHas(1) || s.RefusalOf("sub m", held) != nil {
		t.Errorf("what was given back is held: %+v", held)
	}
	rows := share.Counted([]durable.Row{{`{"sub":"m"}`, int64(2)}, {`{"sub":"m","scopes":["a"]}`, int64(3)}, {"", int64(9)}})
	if rows.All() != 14 || !rows.AnyHas(5) || rows.AnyHas(6) {
		t.Errorf("the rows are counted as %+v", rows)
	}
}

// tested says which test fills each share through the entrance that people have.
var tested = map[string]string{
	"Sockets": "chat TestSocketsAreShared", "Turns": "chat TestTurnsAreShared", "WaitingCalls": "chat TestWaitingCallsAreShared",
	"Approvals": "internal/approval TestApprovalsAreShared", "Questions": "chat TestQuestionsAreShared", "Schedules": "schedule TestSchedulesAreShared",
	"Notices": "internal/admission TestNoticesAreShared", "Servers": "chat TestServersAreShared", "Actions": "action TestLedgerIsShared",
	"Programs": "chat TestProgramsAreShared", "Sessions": "chat TestSessionsAreShared", "Streams": "chat TestStreamsAreShared",
	"Signals": "run TestSignalsAreShared", "Submissions": "turn TestSubmissionsAreShared",
	"RunsWaiting": "run TestRunsAreShared", "RunsAtWork": "run TestPlacesAreShared",
}

// TestEachShareIsTested checks that every share has a test that fills it.
func TestEachShareIsTested(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "share.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var shares []string
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ValueSpec:
			if len(n.Values) == 1 {
				if l, ok := n.Values[0].(*ast.CompositeLit); ok {
					if name, ok := l.Type.(*ast.Ident); ok && name.Name == "Share" {
						shares = append(shares, n.Names[0].Name)
					}
				}
			}
		case *ast.FuncDecl:
			if n.Recv == nil && n.Type.Results != nil {
				if name, ok := n.Type.Results.List[0].Type.(*ast.Ident); ok && name.Name == "Share" {
					shares = append(shares, n.Name.Name)
				}
			}
		}
		return true
	})
	if len(shares) != len(tested) {
		t.Errorf("there are %q", shares)
	}
	for _, name := range shares {
		room, test, _ := strings.Cut(tested[name], " ")
		if test == "" || !declares(t, "../../"+room, test) {
			t.Errorf("no test fills the share %s: %q", name, tested[name])
		}
	}
}

// declares says whether a package has a test.
func declares(t *testing.T, folder, test string) bool {
	t.Helper()
	files, err := os.ReadDir(folder)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return slices.ContainsFunc(files, func(f os.DirEntry) bool {
		if !strings.HasSuffix(f.Name(), "_test.go") {
			return false
		}
		source, err := os.ReadFile(folder + "/" + f.Name())
		return err == nil && strings.Contains(string(source), "\nfunc "+test+"(t *testing.T)")
	})
}
