package travel_test

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/tributary-agents/tributary/durable/wire/travel"
	"github.com/tributary-agents/tributary/durable/wire/travel/testdata/refused"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"
)

// analyse compares the analyser's diagnostics with the comments of a package.
func analyse(t *testing.T, name string) []analysis.Diagnostic {
	t.Helper()
	results := analysistest.Run(t, "../../..", travel.Analyzer, "./durable/wire/travel/testdata/"+name)
	if len(results) != 1 {
		t.Fatalf("%d packages analysed, want 1", len(results))
	}
	return results[0].Diagnostics
}

func TestAllowed(t *testing.T) { analyse(t, "allowed") }

func TestUnbound(t *testing.T) { analyse(t, "unbound") }

// TestRefused checks each refusal, and checks that a program that was not analysed fails at its
// start with the same text.
func TestRefused(t *testing.T) {
	diagnostics := analyse(t, "refused")
	slices.SortFunc(diagnostics, func(a, b analysis.Diagnostic) int { return cmp.Compare(a.Pos, b.Pos) })
	var got, want []string
	for _, d := range diagnostics {
		want = append(want, d.Message)
	}
	for _, declare := range refused.Declarations {
		got = append(got, panicOf(declare))
	}
	if !reflect.DeepEqual(got, want) {
		for i := range max(len(got), len(want)) {
			t.Logf("%d:\n%q when it runs\n%q when it is analysed", i, at(got, i), at(want, i))
		}
		t.Error("the analyser and the program do not refuse the same")
	}
}

// panicOf returns the text of a declaration's panic, without the prefix that names the method.
func panicOf(declare func()) (text string) {
	defer func() {
		text = fmt.Sprint(recover())
		if prefix := len("wire: m: "); len(text) > prefix {
			text = text[prefix:]
		}
	}()
	declare()
	return "nothing"
}

func at(list []string, i int) string {
	if i >= len(list) {
		return ""
	}
	return list[i]
}
