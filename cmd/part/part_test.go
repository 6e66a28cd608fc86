package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// told gives lines to a reporter, and returns what it prints.
func told(r reporter, text string) string {
	var out strings.Builder
	f := &feed{report: r, out: &out}
	for _, piece := range []string{text[:len(text)/3], text[len(text)/3:]} { // lines come in pieces
		_, _ = f.Write([]byte(piece))
	}
	f.flush()
	return out.String()
}

func TestLines(t *testing.T) {
	l := &lines{}
	got := told(l, "one\nnow: two, three\n\nfour\nnow: five, six\nseven")
	if want := "one\n\nfour\nseven\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := l.now(time.Now()); got != "seven" {
		t.Errorf("now is %q", got)
	}
	told(l, "now: five, six\n")
	if got := l.now(time.Now()); got != "five, six" {
		t.Errorf("now is %q", got)
	}
}

const pkg = "github.com/tributary-agents/tributary/durable/chat"

// events are lines of go test -json: a word for the action, the test, and the output.
func events(list ...[3]string) string {
	var b strings.Builder
	for _, e := range list {
		b.WriteString(`{"Action":"` + e[0] + `","Package":"` + pkg + `","Test":"` + e[1] + `","Output":"` + e[2] + `\n"}` + "\n")
	}
	return b.String()
}

func TestGoTests(t *testing.T) {
	t.Setenv(drawn, "abc")
	for _, test := range []struct{ title, in, want string }{
		{
			"a package that passes",
			events([3]string{"start"}, [3]string{"run", "TestA"}, [3]string{"output", "TestA", "noise"}, [3]string{"pass", "TestA"}, [3]string{"output", "", "ok  \\tdurable/chat\\t1.2s"}, [3]string{"pass"}),
			"ok  \tdurable/chat\t1.2s\n",
		},
		{
			"a package that has not changed",
			events([3]string{"start"}, [3]string{"output", "", "ok  \\tdurable/chat\\t(cached)"}, [3]string{"pass"}),
			"",
		},
		{
			"a subtest that fails is reported once, as it happens",
			events([3]string{"run", "TestA"}, [3]string{"run", "TestA/of_a|b"}, [3]string{"output", "TestA/of_a|b", "=== RUN   TestA/of_a|b"}, [3]string{"output", "TestA/of_a|b", "    a_test.go:1: it is wrong"},
				[3]string{"output", "TestA/of_a|b", "    --- FAIL: TestA/of_a|b (0.00s)"}, [3]string{"fail", "TestA/of_a|b"}, [3]string{"output", "TestA", "--- FAIL: TestA (0.00s)"}, [3]string{"fail", "TestA"},
				[3]string{"output", "", "FAIL"}, [3]string{"output", "", "FAIL\\tdurable/chat\\t1.2s"}, [3]string{"fail"}),
			"    a_test.go:1: it is wrong\n    --- FAIL: TestA/of_a|b (0.00s)\n\trepeat it with: TRIBUTARY_DRAW=abc go test -count=1 -short -run '^TestA$/^of_a\\|b$' " + pkg + "\nFAIL\tdurable/chat\t1.2s\n",
		},
		{
			"a test that fails beside its subtest",
			events([3]string{"run", "TestA"}, [3]string{"fail", "TestA/b"}, [3]string{"output", "TestA", "    a_test.go:2: only two moments"}, [3]string{"output", "TestA", "--- FAIL: TestA (0.00s)"}, [3]string{"fail", "TestA"}),
			"\trepeat it with: TRIBUTARY_DRAW=abc go test -count=1 -short -run '^TestA$/^b$' " + pkg + "\n    a_test.go:2: only two moments\n--- FAIL: TestA (0.00s)\n\trepeat it with: TRIBUTARY_DRAW=abc go test -count=1 -short -run '^TestA$' " + pkg + "\n",
		},
		{
			"a package that ends without a test's fault",
			events([3]string{"start"}, [3]string{"output", "", "panic: TestMain"}, [3]string{"output", "", "FAIL\\tdurable/chat\\t0.1s"}, [3]string{"fail"}),
			"panic: TestMain\nFAIL\tdurable/chat\t0.1s\n\trepeat it with: TRIBUTARY_DRAW=abc go test -count=1 -short " + pkg + "\n",
		},
		{
			"a package that does not build",
			`{"ImportPath":"` + pkg + `","Action":"build-output","Output":"chat/a.go:1:1: no\n"}` + "\n" + `{"ImportPath":"` + pkg + `","Action":"build-fail"}` + "\n" + events([3]string{"start"}, [3]string{"output", "", "FAIL\\tdurable/chat [build failed]"}) +
				`{"Action":"fail","Package":"` + pkg + `","FailedBuild":"` + pkg + `"}` + "\n",
			"chat/a.go:1:1: no\nFAIL\tdurable/chat [build failed]\n",
		},
		{"what the go command says", "go: downloading x v1\n{no event}\n", "go: downloading x v1\n{no event}\n"},
	} {
		t.Run(test.title, func(t *testing.T) {
			if got := told(newGoTests([]string{"go", "test", "-json", "-short", "-timeout", "1m", "./..."}), test.in); got != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

// TestNow names the innermost tests that run, the oldest first.
func TestNow(t *testing.T) {
	g := newGoTests([]string{"go", "-C", "e2e", "test", "-json", "./..."})
	told(g, events([3]string{"start"}))
	if got := g.now(time.Now()); got != "0 packages done, 0 failed; durable/chat  (0s)" {
		t.Errorf("got %q", got)
	}
	told(g, events([3]string{"run", "TestA"}, [3]string{"run", "TestA/b"}, [3]string{"pause", "TestA/b"}, [3]string{"run", "TestA/c"}, [3]string{"cont", "TestA/b"}, [3]string{"pass", "TestA/c"}))
	if got := g.now(time.Now()); got != "0 packages done, 0 failed; durable/chat TestA/b (0s)" {
		t.Errorf("got %q", got)
	}
	if got, want := g.repeat(testID{"x", "TestB"}), "go -C e2e test -count=1 -run '^TestB$' x"; !strings.HasSuffix(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestAsJSON(t *testing.T) {
	for _, test := range []struct {
		args, want string
		tests      bool
	}{
		{"go test ./...", "go test -json ./...", true},
		{"go -C tools test -short ./...", "go -C tools test -json -short ./...", true},
		{"go vet ./...", "go vet ./...", false},
		{"go test -fuzz X ./a", "go test -fuzz X ./a", false},
		{"playwright test", "playwright test", false},
	} {
		got, tests := asJSON(strings.Fields(test.args))
		if strings.Join(got, " ") != test.want || tests != test.tests {
			t.Errorf("%s: got %q, %v", test.args, got, tests)
		}
	}
}

func TestRepeatable(t *testing.T) {
	t.Setenv(drawn, "")
	if got, want := repeatable([]string{"go", "test", "-json", "-run", "^A$", "it's", ""}), `go test -run '^A$' 'it'\''s' ''`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestTable(t *testing.T) {
	t.Chdir(t.TempDir())
	var out strings.Builder
	if err := printTable(&out); err != nil || out.Len() > 0 {
		t.Errorf("without parts: %q, %v", out.String(), err)
	}
	begun := time.Unix(1_800_000_000, 0)
	for _, part := range []taken{
		{"types", begun, 1400 * time.Millisecond, 2 * time.Second, 0},
		{"journeys", begun.Add(2 * time.Second), 90 * time.Second, 80 * time.Second, 12 * time.Second},
		{"clients", begun.Add(3 * time.Second), 30 * time.Second, 20 * time.Second, 0}, // beside the journeys
	} {
		if err := note(part); err != nil {
			t.Fatal(err)
		}
	}
	if err := printTable(&out); err != nil {
		t.Fatal(err)
	}
	var got []string
	for line := range strings.Lines(out.String()) {
		got = append(got, strings.Join(strings.Fields(line), " "))
	}
	if want := "part time CPU, user system|types 1 s 2 s 0 s|journeys 90 s 80 s 12 s|clients 30 s 20 s 0 s|together 92 s 102 s 12 s"; strings.Join(got, "|") != want {
		t.Errorf("got %q, want %q", strings.Join(got, "|"), want)
	}
	if err := forget(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join("build", "parts.jsonl")); !os.IsNotExist(err) {
		t.Errorf("the file is still there: %v", err)
	}
}

// TestStatus shows that a part ends as its command does.
func TestStatus(t *testing.T) {
	t.Chdir(t.TempDir())
	for want, command := range map[int]string{0: "exit 0", 3: "exit 3"} {
		if got, err := start([]string{"part", "sh", "-c", command}); got != want || err != nil {
			t.Errorf("%s: got %d and %v", command, got, err)
		}
	}
	if _, err := start([]string{"part", "there-is-no-such-command"}); err == nil {
		t.Error("a command that is not there runs")
	}
	if _, err := start([]string{"part"}); err == nil {
		t.Error("a part without a command runs")
	}
}
