package schedule_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/internal/share"
	"github.com/tributary-agents/tributary/durable/schedule"
)

const start = 1_700_000_000_000

// table is a storage with schedules, and a clock.
type table struct {
	t       *testing.T
	storage durable.Storage
	now     int64
}

func newTable(t *testing.T) *table {
	s := &table{t: t, storage: durabletest.Memory(t), now: start}
	durable.Migrate(s.tx(), schedule.Schema)
	return s
}

func (s *table) tx() *durable.Tx { return durable.NewTx(s.now, s.storage, durabletest.Rand(1)) }

func (s *table) make(id string, when schedule.When) schedule.Entry {
	s.t.Helper()
	e, err := schedule.Create(s.tx(), schedule.Entry{ID: id, Callback: "c", When: when})
	if err != nil {
		s.t.Fatal(err)
	}
	return e
}

// call claims and takes the call that is due, or returns "".
func (s *table) call() (e schedule.Entry) {
	schedule.Claim(s.tx())
	e, ok := schedule.ToCall(s.tx())
	if ok {
		schedule.Take(s.tx(), e)
	}
	return e
}

func (s *table) find(id string) schedule.Entry {
	e, _ := schedule.Find(s.tx(), id)
	return e
}

func TestScheduleForOneCallIsDeletedWhenCalled(t *testing.T) {
	s := newTable(t)
	s.make("later", schedule.After(time.Minute))
	s.make("sooner", schedule.At(time.UnixMilli(start+30_000)))
	s.make("past", schedule.At(time.UnixMilli(start-1)))
	for _, want := range []struct {
		now int64
		id  string
	}{{start, "past"}, {start + 29_999, ""}, {start + 30_000, "sooner"}, {start + 90_000, "later"}, {start + 90_000, ""}} {
		s.now = want.now
		if got := s.call(); got.ID != want.id {
			t.Errorf("at +%d: %q, want %q", want.now-start, got.ID, want.id)
		}
	}
	if next := schedule.Next(s.tx()); next != 0 || len(schedule.List(s.tx())) != 0 {
		t.Errorf("something is left, due %d", next)
	}
}

func TestMissedIntervalsAreMadeUpForOnce(t *testing.T) {
	s := newTable(t)
	s.make("i", schedule.Every(time.Minute))
	s.now += 10*60_000 + 5_000
	if e := s.call(); e.Planned != start+60_000 {
		t.Errorf("planned %+d, want +60000", e.Planned-start)
	}
	if due := schedule.Next(s.tx()); due != start+11*60_000 {
		t.Errorf("next %+d, want +660000", due-start)
	}
}

func TestSameContentJoinsAndOtherContentReplaces(t *testing.T) {
	s := newTable(t)
	first := s.make("a", schedule.After(time.Minute))
	s.now += 1000
	if again := s.make("a", schedule.After(time.Minute)); again.Seq != first.Seq || again.Due != first.Due {
		t.Errorf("not joined: %+v", again)
	}
	if other := s.make("a", schedule.After(time.Hour)); other.Seq == first.Seq || other.Due != s.now+3_600_000 {
		t.Errorf("not replaced: %+v", other)
	}
	if n := len(schedule.List(s.tx())); n != 1 {
		t.Errorf("%d schedules, want 1", n)
	}
}

func TestFailureIsTriedAgainLaterAndThenKept(t *testing.T) {
	s := newTable(t)
	s.make("a", schedule.After(0))
	for attempt := 1; ; attempt++ {
		e := s.call()
		if e.Attempts != attempt {
			t.Fatalf("attempt %d, want %d", e.Attempts, attempt)
		}
		if schedule.Fail(s.tx(), e, "no", false) == schedule.Failed {
			break
		}
		wait, most := s.find("a").Due-s.now, int64(2000)<<(attempt-1)
		if wait < most/2 || wait > most {
			t.Errorf("after attempt %d it waits %d ms, not %d to %d", attempt, wait, most/2, most)
		}
		s.now = s.find("a").Due
	}
	if e := s.find("a"); e.Attempts != schedule.DefaultAttempts || e.Failure != "no" || schedule.Next(s.tx()) != 0 {
		t.Errorf("kept as %+v", e)
	}
	if !schedule.Retry(s.tx(), "a", "") || schedule.Retry(s.tx(), "a", "") {
		t.Error("it can be tried again, once")
	}
	if e := s.call(); e.Attempts != 1 {
		t.Errorf("attempt %d, want 1", e.Attempts)
	}
	if len(schedule.List(s.tx())) != 0 {
		t.Error("it is still there after it went well")
	}
}

func TestRepeatedScheduleGoesOnAfterAFailure(t *testing.T) {
	for _, last := range []bool{false, true} {
		s := newTable(t)
		s.make("i", schedule.Every(time.Minute))
		var state schedule.State
		for range schedule.DefaultAttempts {
			s.now = max(s.now, schedule.Next(s.tx()))
			state = schedule.Fail(s.tx(), s.call(), "no", last)
		}
		e := s.find("i")
		if last && state != schedule.Failed {
			t.Errorf("one that takes the instance along is %s", state)
		}
		if !last && (schedule.State(e.State) != schedule.Waits || e.Attempts != 0 || e.Failure != "no" || e.Due != start+2*60_000) {
			t.Errorf("goes on as %+v, due %+d", e, e.Due-start)
		}
	}
}

func TestCallbackCanReplaceItsOwnSchedule(t *testing.T) {
	s := newTable(t)
	s.make("chain", schedule.After(0))
	e := s.call()
	s.make("chain", schedule.After(0)) // the callback's own schedule is no longer in the table, so this creates a new one
	schedule.Fail(s.tx(), e, "no", false)
	if got := s.find("chain"); got.Seq == e.Seq || got.Attempts != 0 {
		t.Errorf("the new one was overwritten: %+v", got)
	}
	s.make("i", schedule.Every(time.Minute))
	s.now += 60_000
	for e = s.call(); e.ID != "i"; e = s.call() {
	}
	schedule.Cancel(s.tx(), "i")
	schedule.Fail(s.tx(), e, "no", false)
	if _, ok := schedule.Find(s.tx(), "i"); ok {
		t.Error("a cancelled one came back")
	}
}

func TestCreateRefuses(t *testing.T) {
	s := newTable(t)
	soon := schedule.After(0)
	for want, e := range map[string]schedule.Entry{
		"is no id":            {ID: strings.Repeat("x", 257), When: soon},
		"a payload of":        {Payload: json.RawMessage(strings.Repeat("x", schedule.MaxPayload+1)), When: soon},
		"21 attempts":         {MaxAttempts: 21, When: soon},
		"-1 attempts":         {MaxAttempts: -1, When: soon},
		"a delay of -1s":      {When: schedule.After(-time.Second)},
		"an interval of 1ms":  {When: schedule.Every(time.Millisecond)},
		"an interval of 0s":   {When: schedule.Every(0)},
		"0001-01-01T00:00:00": {When: schedule.At(time.Time{})},
		"3000-01-01T00:00:00": {When: schedule.At(time.Date(3000, 1, 1, 0, 0, 0, 0, time.UTC))},
		"nobody can tell":     {},
		"has 1 fields":        {When: schedule.Cron("often", "")},
		"is not known":        {When: schedule.Cron("@daily", "Europe/Atlantis")},
	} {
		if _, err := schedule.Create(s.tx(), e); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if _, err := schedule.Create(s.tx(), schedule.Entry{When: schedule.Cron("0 0 30 2 *", "")}); !errors.Is(err, schedule.ErrNever) {
		t.Errorf("%v, want ErrNever", err)
	}
	if n := len(schedule.List(s.tx())); n != 0 {
		t.Errorf("%d were made all the same", n)
	}
	for i := range share.Schedules.Most {
		s.make(fmt.Sprint(i), soon)
	}
	if _, err := schedule.Create(s.tx(), schedule.Entry{When: soon}); err == nil {
		t.Error("one more than there may be")
	}
	s.make("0", schedule.After(1)) // a schedule that replaces another one takes no additional place
}

func TestDamagedTimesAreKeptAsFailed(t *testing.T) {
	s := newTable(t)
	for i, damage := range []string{`{`, `{"type":"interval"}`, `{"type":"cron","cron":"x"}`} {
		id := fmt.Sprint(i)
		s.make(id, schedule.After(0))
		s.tx().SQL(`UPDATE callback SET timing = ? WHERE id = ?`, damage, id)
		if e := s.call(); e.ID != id {
			t.Fatalf("called %q", e.ID)
		}
		if e := s.find(id); schedule.State(e.State) != schedule.Failed || e.Failure == "" {
			t.Errorf("%s: %+v", damage, e)
		}
	}
}

func TestDamagedStatesWaitForNothing(t *testing.T) {
	s := newTable(t)
	s.make("a", schedule.After(0))
	s.make("b", schedule.After(time.Hour))
	s.tx().SQL(`UPDATE callback SET state = 'x' WHERE id = 'a'`)
	if due := schedule.Next(s.tx()); due != start+3_600_000 {
		t.Errorf("due %d: the alarm would ring for ever", due-start)
	}
}

func TestFailedSchedulesAreKeptUpToALimit(t *testing.T) {
	s := newTable(t)
	for i := range 120 {
		s.make(fmt.Sprint(i), schedule.After(0))
		e := s.call()
		e.Attempts = e.MaxAttempts
		schedule.Fail(s.tx(), e, "no", false)
		s.now++
	}
	list := schedule.List(s.tx())
	if len(list) != 100 || list[0].ID != "119" || list[99].ID != "20" {
		t.Errorf("%d are kept, from %s", len(list), list[0].ID)
	}
}
