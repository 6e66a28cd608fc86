package replay_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/tributary-agents/tributary/durable/flow/replay"
)

// analyse compares the analyser's diagnostics with the comments of a package.
func analyse(t *testing.T, name string) {
	t.Helper()
	analysistest.Run(t, "../../..", replay.Analyzer, "./durable/flow/replay/testdata/"+name)
}

func TestGood(t *testing.T) { analyse(t, "good") }

func TestBad(t *testing.T) { analyse(t, "bad") }
