package chat_test

import (
	"flag"
	"slices"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agents"
	"github.com/tributary-agents/tributary/durable/chat"
	"github.com/tributary-agents/tributary/durable/chat/chattest"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/durabletest/releases"
)

var release = flag.String("release", "", "write the storage of this version into the folder of releases")

const releaseFolder = "../durabletest/releases"

// releaseEngine returns an engine with all classes that scenes use. Their Reporter is that of the kit:
// the shipped agent of that name came later.
func releaseEngine(seed uint32) durabletest.Inspector {
	shipped := slices.DeleteFunc(agents.Classes(), func(c durable.Class) bool { return c.Name == agents.Reporter.Name })
	return durabletest.NewNative(seed, append(chattest.Classes(), shipped...)...)
}

// TestWriteRelease writes the scenes of a release, if it is asked to.
func TestWriteRelease(t *testing.T) {
	if *release == "" {
		return
	}
	if err := releases.Write(releaseFolder, *release, releaseEngine); err != nil {
		t.Fatal(err)
	}
}

// TestStorageOfReleasesGoesOn opens what each release has stored, and goes on.
func TestStorageOfReleasesGoesOn(t *testing.T) {
	releases.Each(t, releaseFolder, func(t *testing.T, s releases.Scene) { releases.CheckGoesOn(t, s, releaseEngine) })
}

// TestStorageOfReleasesOpensByEveryEvent opens each object of each release by every event.
func TestStorageOfReleasesOpensByEveryEvent(t *testing.T) {
	releases.Each(t, releaseFolder, func(t *testing.T, s releases.Scene) { releases.CheckEveryEvent(t, s, releaseEngine) })
}

// TestStorageOfReleasesGetsTheTablesOfToday checks that every table and index of each object has its
// newest shape when the object has been opened.
func TestStorageOfReleasesGetsTheTablesOfToday(t *testing.T) {
	fresh := durabletest.Memory(t)
	chat.MakeTables(fresh)
	want := tablesOf(t, fresh)
	releases.Each(t, releaseFolder, func(t *testing.T, s releases.Scene) {
		e := releaseEngine(releases.Seed)
		t.Cleanup(func() { _ = e.Close() })
		for object, class := range s.Objects {
			if err := s.RestoreObject(e, object); err != nil {
				t.Fatal(err)
			}
			if _, err := e.Step(object, s.Now, durable.Opened{Class: class, Name: object}, nil); err != nil {
				t.Fatal(err)
			}
			storage, err := e.Storage(object)
			if err != nil {
				t.Fatal(err)
			}
			for _, table := range tablesOf(t, storage) {
				if !slices.Contains(want, table) && !strings.HasPrefix(table, "sqlite_") {
					t.Errorf("%s: %s", object, table)
				}
			}
		}
	})
}

// newerComponents are all components of a conversation, and one that there is not yet.
func newerComponents() []releases.Newer {
	all := []releases.Newer{{Component: "later"}}
	for _, s := range chat.Schemas {
		all = append(all, releases.Newer{Component: s.Component, Known: len(s.Steps)})
	}
	return all
}

// TestNewerStorageIsRefused checks that storage of a newer version is refused, whichever component
// is newer, and that nothing is written.
func TestNewerStorageIsRefused(t *testing.T) {
	releases.Each(t, releaseFolder, func(t *testing.T, s releases.Scene) {
		releases.CheckRefusesNewer(t, s, newerComponents(), releaseEngine)
		releases.CheckComesBack(t, s, newerComponents()[1], releaseEngine)
	})
}

// TestHelperWithNewerStorageIsOutOfReach checks that a helper whose storage is newer counts as
// unreachable. Its run has not ended, and goes on when the helper can be opened again.
func TestHelperWithNewerStorageIsOutOfReach(t *testing.T) {
	releases.Each(t, releaseFolder, func(t *testing.T, s releases.Scene) {
		const helper = "room/helper-3.0"
		if s.Name != "conversation" {
			return
		}
		e := releaseEngine(releases.Seed)
		t.Cleanup(func() { _ = e.Close() })
		w, err := s.Restore(e)
		if err != nil {
			t.Fatal(err)
		}
		known := releases.Rows(t, e, helper, `SELECT version FROM room_version WHERE room = 'chat'`)
		releases.Rows(t, e, helper, `UPDATE room_version SET version = 1000 WHERE room = 'chat'`)
		act(t, w, "connect z", "tick 1m")
		if out := strings.Join(w.Take(), "\n"); !strings.Contains(out, "helper-3: refused: ") {
			t.Errorf("it was not asked: %s", out)
		}
		const status = `SELECT status FROM run WHERE slot = 3`
		if got := releases.Rows(t, e, "room", status); !slices.Equal(got, []string{"[running]"}) {
			t.Errorf("the run is %q", got)
		}
		releases.Rows(t, e, helper, `UPDATE room_version SET version = `+strings.Trim(known[0], "[]")+` WHERE room = 'chat'`)
		act(t, w, "tick 5m")
		if got := releases.Rows(t, e, "room", status); !slices.Equal(got, []string{"[completed]"}) {
			t.Errorf("the run is %q", got)
		}
	})
}
