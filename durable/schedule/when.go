package schedule

import (
	"errors"
	"fmt"
	"time"
)

// When says when a callback is called. [At], [After], [Every] and [Cron] make one. It is plain
// data, its JSON is public, and two can be compared with ==.
type When struct {
	Type Type `json:"type"`
	// At is a time in milliseconds since 1970. After and Every are in milliseconds.
	At    int64 `json:"at,omitempty"`
	After int64 `json:"after,omitempty"`
	Every int64 `json:"every,omitempty"`
	// Cron is an expression of five fields. Zone is the name of the time zone whose clocks it
	// follows, or "" for UTC.
	Cron string `json:"cron,omitempty"`
	Zone string `json:"zone,omitempty"`
}

// Type is a kind of [When].
type Type string

// The types, in the words of the platform's own SDK.
const (
	// Once is the type of [At].
	Once Type = "scheduled"
	// Delayed is the type of [After].
	Delayed Type = "delayed"
	// Interval is the type of [Every].
	Interval Type = "interval"
	// Calendar is the type of [Cron].
	Calendar Type = "cron"
)

// The limits of a [When].
const (
	// MinInterval is the shortest interval of [Every].
	MinInterval = time.Second
	// MaxAhead is how far ahead a time, a delay or an interval may be.
	MaxAhead = 100 * 365 * 24 * time.Hour
)

// ErrNever refuses a cron expression that matches no time, such as 30 February.
var ErrNever = errors.New("schedule: its time never comes")

// At returns a When with one call, at the given time. A time in the past is due at once.
func At(t time.Time) When { return When{Type: Once, At: t.UnixMilli()} }

// After returns a When with one call, after a delay.
func After(d time.Duration) When { return When{Type: Delayed, After: d.Milliseconds()} }

// Every returns a When with calls at every multiple of d after the schedule was created. If calls
// were missed because nothing ran, one of them is made up for.
func Every(d time.Duration) When { return When{Type: Interval, Every: d.Milliseconds()} }

// Cron returns a When with calls at the times of a cron expression of five fields: minute, hour,
// day of the month, month, day of the week. The clocks are those of a time zone such as
// "Europe/Zurich"; "" is UTC. Any other time zone needs package zone, which main imports.
//
// When clocks go forward, a call in the missing hour happens at the jump. When they go back, a call
// in the repeated hour happens the first time. An expression whose hour is * matches every hour
// that passes: nothing is called for the missing hour, and the repeated hour is called twice.
func Cron(spec, zone string) When { return When{Type: Calendar, Cron: spec, Zone: zone} }

// Again says whether the schedule repeats.
func (w When) Again() bool { return w.Type == Interval || w.Type == Calendar }

// first returns when the first call is due, for a schedule that is created now.
func (w When) first(now int64) (int64, error) {
	far := MaxAhead.Milliseconds()
	switch {
	case w.Type == Once && (w.At <= 0 || w.At > now+far): // a time before 1970 was most likely never set
		return 0, fmt.Errorf("schedule: the time %s is no time to come", time.UnixMilli(w.At).UTC().Format(time.RFC3339))
	case w.Type == Once:
		return w.At, nil
	case w.Type == Delayed && w.After >= 0 && w.After <= far:
		return now + w.After, nil
	case w.Type == Delayed:
		return 0, fmt.Errorf("schedule: a delay of %s, not 0 to %s", text(w.After), MaxAhead)
	case w.Type == Interval && (w.Every < MinInterval.Milliseconds() || w.Every > far):
		return 0, fmt.Errorf("schedule: an interval of %s, not %s to %s", text(w.Every), MinInterval, MaxAhead)
	}
	return w.next(now, now)
}

// next returns when the first call after now is due, on the grid through planned. 0 means never.
func (w When) next(planned, now int64) (int64, error) {
	switch {
	case w.Type == Once, w.Type == Delayed:
		return 0, nil
	case w.Type == Interval && w.Every > 0:
		return planned + (max(now-planned, 0)/w.Every+1)*w.Every, nil
	case w.Type == Calendar:
		return nextCron(w.Cron, w.Zone, now)
	}
	return 0, fmt.Errorf("schedule: nobody can tell when %.40q is", w.Type)
}

func text(ms int64) time.Duration { return time.Duration(ms) * time.Millisecond }
