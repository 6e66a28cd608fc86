package main

import (
	"encoding/json"
	"fmt"
	"io"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// asJSON makes go test say everything as JSON, and says whether the command is one of go test. The fuzzer of go test and
// verbose tests are read as text.
func asJSON(args []string) (changed []string, tests bool) {
	at := slices.Index(args, "test")
	if path.Base(args[0]) != "go" || at < 0 || slices.Contains(args, "-v") || slices.Contains(args, "-fuzz") {
		return args, false
	}
	return slices.Insert(slices.Clone(args), at+1, "-json"), true
}

// goTests reads the events of go test -json. It prints each test that fails, with what it has said and the command that
// repeats it, each package that is done, and what cannot be built.
type goTests struct {
	// before are the words of the command in front of "test", and flags those behind it that belong to a repetition.
	before, flags []string

	mu sync.Mutex
	// running are the tests that run, by package and name, and said is what they have said.
	running               map[testID]time.Time
	said                  map[testID]*strings.Builder
	failed                map[string]bool // packages in which a test was reported
	packages, cached, bad int
}

type testID struct{ pkg, name string }

// event is one event of go test -json.
type event struct {
	Action, Package, Test, Output, ImportPath, FailedBuild string
}

func newGoTests(args []string) *goTests {
	at := slices.Index(args, "test")
	g := &goTests{
		before: args[:at], running: map[testID]time.Time{}, said: map[testID]*strings.Builder{}, failed: map[string]bool{},
	}
	for _, flag := range args[at+1:] {
		if flag == "-short" || strings.HasPrefix(flag, "-tags") || strings.HasPrefix(flag, "-race") {
			g.flags = append(g.flags, flag)
		}
	}
	return g
}

// maxSaid is how much of what a test says is kept, in bytes.
const maxSaid = 1 << 20

func (g *goTests) line(out io.Writer, line string) {
	var e event
	if !strings.HasPrefix(line, "{") || json.Unmarshal([]byte(line), &e) != nil {
		fmt.Fprintln(out, line) // the go command's own words, such as what it downloads
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	id := testID{e.Package, e.Test}
	switch e.Action {
	case "build-output":
		fmt.Fprint(out, e.Output)
	case "start", "run", "cont":
		g.running[id] = time.Now()
	case "pause":
		delete(g.running, id)
	case "output":
		g.keep(id, e.Output)
	case "pass", "skip":
		if e.Test == "" && e.Action == "pass" {
			g.passed(out, id)
		}
		g.forget(id)
	case "fail":
		g.fails(out, id, e.FailedBuild != "")
		g.forget(id)
	}
}

func (g *goTests) keep(id testID, output string) {
	if g.said[id] == nil {
		g.said[id] = &strings.Builder{}
	}
	if g.said[id].Len() < maxSaid {
		g.said[id].WriteString(output)
	}
}

func (g *goTests) forget(id testID) {
	delete(g.running, id)
	delete(g.said, id)
}

// summary is the line in which go test says how a package has ended.
var summary = regexp.MustCompile(`(?m)^(ok|FAIL)[ \t]+\S+.*\n`)

func (g *goTests) passed(out io.Writer, id testID) {
	g.packages++
	said := g.saidBy(id)
	if strings.Contains(said, "(cached)") {
		g.cached++
		return
	}
	fmt.Fprint(out, summary.FindString(said))
}

func (g *goTests) saidBy(id testID) string {
	if b := g.said[id]; b != nil {
		return b.String()
	}
	return ""
}

// framing matches the lines in which go test announces a test: its begin, its pause, its continuation.
var framing = regexp.MustCompile(`(?m)^=== (RUN|PAUSE|CONT|NAME) .*\n`)

// fails reports a test that has failed, unless a test within it was reported, or a package that has failed without a
// failing test.
func (g *goTests) fails(out io.Writer, id testID, build bool) {
	said := framing.ReplaceAllString(g.saidBy(id), "")
	if id.name == "" {
		g.packages++
		g.bad++
		if build || g.failed[id.pkg] {
			fmt.Fprint(out, summary.FindString(said))
			return
		}
		fmt.Fprintf(out, "%s\trepeat it with: %s\n", said, g.repeat(id))
		return
	}
	within := g.failed[id.pkg+" "+id.name]
	g.failed[id.pkg] = true
	for parent := id.name; strings.Contains(parent, "/"); {
		parent = parent[:strings.LastIndex(parent, "/")]
		g.failed[id.pkg+" "+parent] = true
	}
	if within && strings.Count(said, "\n") <= 1 { // only its own "--- FAIL" line
		return
	}
	fmt.Fprintf(out, "%s\trepeat it with: %s\n", said, g.repeat(id))
}

// repeat returns the command that runs one test again.
func (g *goTests) repeat(id testID) string {
	args := append(slices.Clone(g.before), "test", "-count=1")
	args = append(args, g.flags...)
	if id.name != "" {
		var exact []string
		for _, part := range strings.Split(id.name, "/") {
			exact = append(exact, "^"+regexp.QuoteMeta(part)+"$")
		}
		args = append(args, "-run", strings.Join(exact, "/"))
	}
	return repeatable(append(args, id.pkg))
}

// now names the tests that run, those that have run for the longest time first.
func (g *goTests) now(at time.Time) string {
	g.mu.Lock()
	defer g.mu.Unlock()
	var ids []testID
	for id := range g.running {
		if id.name != "" || !g.hasRunning(id.pkg) {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, func(a, b testID) int { return g.running[a].Compare(g.running[b]) })
	// A test that has subtests runs as long as they do. Only the innermost is named.
	ids = slices.DeleteFunc(ids, func(id testID) bool {
		return slices.ContainsFunc(ids, func(other testID) bool {
			return other.pkg == id.pkg && strings.HasPrefix(other.name, id.name+"/")
		})
	})
	const most = 3
	var names []string
	for _, id := range ids[:min(len(ids), most)] {
		names = append(names, fmt.Sprintf("%s %s (%s)", short(id.pkg), id.name, at.Sub(g.running[id]).Round(time.Second)))
	}
	if len(ids) > most {
		names = append(names, fmt.Sprintf("and %d more", len(ids)-most))
	}
	if len(names) == 0 {
		names = append(names, "it is being built")
	}
	return fmt.Sprintf("%d packages done, %d failed; %s", g.packages, g.bad, strings.Join(names, ", "))
}

func (g *goTests) hasRunning(pkg string) bool {
	for id := range g.running {
		if id.pkg == pkg && id.name != "" {
			return true
		}
	}
	return false
}

// short returns the path of a package without that of its module.
func short(pkg string) string {
	_, inner, found := strings.Cut(pkg, "/tributary/")
	if !found {
		return path.Base(pkg)
	}
	return inner
}

func (g *goTests) end(out io.Writer) {
	fmt.Fprintf(out, "%d packages, %d of them unchanged, %d failed\n", g.packages, g.cached, g.bad)
}
