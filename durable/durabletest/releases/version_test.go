package releases_test

import (
	"os"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/internal/version"
)

// TestVersionIsStored fails if the module is called a release whose storage is not kept here.
func TestVersionIsStored(t *testing.T) {
	if strings.HasSuffix(version.Version, "-dev") {
		if _, err := os.Stat(strings.TrimSuffix(version.Version, "-dev")); err == nil {
			t.Errorf("the storage of %s is kept, and the version still says that it is under way", version.Version)
		}
		return
	}
	if _, err := os.Stat(version.Version); err != nil {
		t.Errorf("%v: write it with go test ./durable/chat -run TestWriteRelease -release %s", err, version.Version)
	}
}
