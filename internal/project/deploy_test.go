package project

import (
	"strings"
	"testing"
)

func TestFreeTakesNoArgumentOfOneWorker(t *testing.T) {
	for _, args := range []string{
		"--name other", "--name=other", "--route example.com/*", "--routes=example.com/*", "--domain example.com",
		"--domains example.com", "-c other.jsonc", "-cother.jsonc", "--env=staging", "--triggers *", "--outdir bundle", "--dry-run --name=x",
	} {
		if err := shared(strings.Fields(args)); err == nil || !strings.Contains(err.Error(), "does not take -") {
			t.Errorf("%s: got %v, want a refusal", args, err)
		}
	}
	if err := shared(strings.Fields("--dry-run --minify --var KEY:value --keep-vars")); err != nil {
		t.Errorf("got %v, want no refusal of what both take", err)
	}
}
