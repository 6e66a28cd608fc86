package dev

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"
)

// bench runs rebuild with a build whose outcome the test decides.
type bench struct {
	changes  chan []string
	began    chan context.Context // a build has begun
	outcomes chan error
	told     chan status
	reasons  chan []string // of the builds that have begun
	ended    chan struct{}
	stop     context.CancelFunc
}

// begin runs rebuild. What is told goes to the channel told, unless there is a function for it.
func begin(t *testing.T, tell func(status)) *bench {
	ctx, stop := context.WithCancel(context.Background())
	b := &bench{
		changes: make(chan []string), began: make(chan context.Context), outcomes: make(chan error),
		told: make(chan status, 100), reasons: make(chan []string, 100), ended: make(chan struct{}), stop: stop,
	}
	if tell == nil {
		tell = func(s status) { b.told <- s }
	}
	go func() {
		defer close(b.ended)
		rebuild(ctx, b.changes, b.build, func(now status, changed []string) {
			if now.State == building {
				b.reasons <- changed
			}
			tell(now)
		})
	}()
	t.Cleanup(func() {
		stop()
		<-b.ended
	})
	return b
}

// build reports that it has begun, and ends as the test says or when it is cancelled.
func (b *bench) build(ctx context.Context) error {
	select {
	case b.began <- ctx:
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case err := <-b.outcomes:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (b *bench) wants(t *testing.T, want ...status) {
	t.Helper()
	for _, w := range want {
		if got := <-b.told; got != w {
			t.Errorf("told %v, want %v", got, w)
		}
	}
}

func TestRebuild(t *testing.T) {
	b := begin(t, nil)
	<-b.began
	b.outcomes <- errors.New("main.go:7: broken")
	b.wants(t, status{State: building}, status{State: failed, Error: "main.go:7: broken"})
	b.changes <- []string{"main.go"}
	<-b.began
	b.outcomes <- nil
	b.wants(t, status{State: building}, status{State: built})
	if first, second := <-b.reasons, <-b.reasons; first != nil || !reflect.DeepEqual(second, []string{"main.go"}) {
		t.Errorf("the builds began because of %q and %q", first, second)
	}
}

// TestChangeCancels changes a file while a build is under way: it is cancelled, and not told of.
func TestChangeCancels(t *testing.T) {
	b := begin(t, nil)
	first := <-b.began
	b.changes <- []string{"main.go"}
	<-first.Done()
	second := <-b.began
	if err := second.Err(); err != nil {
		t.Errorf("the second build begins with %v", err)
	}
	b.outcomes <- nil
	b.wants(t, status{State: building}, status{State: building}, status{State: built})
	if first, second := <-b.reasons, <-b.reasons; first != nil || !reflect.DeepEqual(second, []string{"main.go"}) {
		t.Errorf("the builds began because of %q and %q", first, second)
	}
}

// TestEnd ends the loop while a build is under way.
func TestEnd(t *testing.T) {
	b := begin(t, nil)
	build := <-b.began
	b.stop()
	<-build.Done()
	<-b.ended
	b.wants(t, status{State: building})
	if len(b.told) > 0 {
		t.Errorf("told %v of a build that was cancelled", <-b.told)
	}
}

func TestLongError(t *testing.T) {
	got := outcome(errors.New(strings.Repeat("é", errorLimit)))
	if want := strings.Repeat("é", errorLimit/2); got.Error != want {
		t.Errorf("%d bytes are told, want %d", len(got.Error), len(want))
	}
	got = outcome(errors.New("x" + strings.Repeat("é", errorLimit)))
	if want := "x" + strings.Repeat("é", errorLimit/2-1); got.Error != want {
		t.Errorf("%d bytes are told, want %d", len(got.Error), len(want))
	}
}

// TestGather decides itself when it is quiet.
func TestGather(t *testing.T) {
	touched, changes, timers := make(chan string), make(chan []string), make(chan chan time.Time)
	quiet := func() <-chan time.Time {
		timer := make(chan time.Time)
		timers <- timer
		return timer
	}
	go gather(t.Context(), touched, changes, quiet)
	wants := func(want ...string) {
		t.Helper()
		if got := <-changes; !reflect.DeepEqual(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}

	touched <- "a"
	<-timers
	touched <- "b"
	<-timers
	touched <- "a"
	timer := <-timers
	timer <- time.Time{}
	wants("a", "b")

	touched <- "c"
	timer = <-timers
	timer <- time.Time{}
	touched <- "d" // nobody has received c yet
	timer = <-timers
	timer <- time.Time{}
	wants("c", "d")
}
