package schedule

import (
	"fmt"
	"time"
)

// This file handles wall clocks. A wall clock's reading is a [time.Time] in UTC here. A zone is a
// sequence of segments with one offset each, and its clocks jump between them.

// maxYears is how many years ahead the time of a cron expression is searched: two 29 Februaries may
// be eight years apart.
const maxYears = 9

// nextCron returns the first time after now that an expression matches, in milliseconds since 1970.
func nextCron(spec, zone string, now int64) (int64, error) {
	e, err := parseCron(spec)
	if err != nil {
		return 0, err
	}
	location, err := load(zone)
	if err != nil {
		return 0, err
	}
	t, ok := e.after(time.UnixMilli(now).In(location))
	if !ok {
		return 0, fmt.Errorf("%w: the cron expression %q", ErrNever, spec)
	}
	return t.UnixMilli(), nil
}

// LoadZone finds a time zone by its name. Package zone sets it. Without package zone only UTC is
// known, on every target, because a test machine may know time zones that the module does not know.
var LoadZone func(name string) (*time.Location, error)

func load(zone string) (*time.Location, error) {
	if zone == "" || zone == "UTC" {
		return time.UTC, nil
	}
	if LoadZone == nil {
		return nil, fmt.Errorf(`schedule: the time zone %.64q: a module knows UTC alone unless its main imports _ "github.com/tributary-agents/tributary/durable/schedule/zone"`, zone)
	}
	if len(zone) > 64 || zone == "Local" { // the machine's own zone is never used
		return nil, fmt.Errorf("schedule: %.64q is no time zone", zone)
	}
	location, err := LoadZone(zone)
	if err != nil {
		return nil, fmt.Errorf("schedule: the time zone %q is not known", zone)
	}
	return location, nil
}

// after returns the first time after t that matches, in the zone of t.
func (e expression) after(t time.Time) (time.Time, bool) {
	if e.anyHour {
		if found, ok := e.soon(t); ok {
			return found, true
		}
		t = t.Add(soon)
	}
	for wall := shown(t); ; {
		next, ok := e.wallAfter(wall)
		if !ok {
			return time.Time{}, false
		}
		found, jumped := shows(next, t.Location())
		if found.After(t) && !(jumped && e.anyHour) {
			return found, true
		}
		wall = next
	}
}

// soon is longer than any jump of clocks.
const soon = 4 * time.Hour

// soon returns the first of the following minutes, in elapsed time, that matches.
func (e expression) soon(t time.Time) (time.Time, bool) {
	minute := t.Add(-time.Duration(shown(t).Second())*time.Second - time.Duration(t.Nanosecond()))
	for end := t.Add(soon); minute.Before(end); {
		minute = minute.Add(time.Minute)
		if e.means(shown(minute)) {
			return minute, true
		}
	}
	return time.Time{}, false
}

// shown returns the reading of the clocks in the zone of t.
func shown(t time.Time) time.Time {
	return t.UTC().Add(offset(t))
}

func offset(t time.Time) time.Duration {
	_, seconds := t.Zone()
	return time.Duration(seconds) * time.Second
}

// shows returns when the clocks of a zone first show a reading, or when they jump over it. It
// compares the offsets before and after, which differ by at most one jump. It does not use
// [time.Time.ZoneBounds], which would return the jump but is wrong at the end of leap years.
func shows(wall time.Time, zone *time.Location) (at time.Time, jumped bool) {
	before, after := wall.Add(-15*time.Hour).In(zone), wall.Add(13*time.Hour).In(zone)
	for _, o := range []time.Duration{max(offset(before), offset(after)), min(offset(before), offset(after))} {
		if at := wall.Add(-o).In(zone); offset(at) == o {
			return at, false
		}
	}
	for after.Sub(before) > time.Second {
		middle := before.Add(after.Sub(before) / 2).Truncate(time.Second)
		if offset(middle) == offset(before) {
			before = middle
		} else {
			after = middle
		}
	}
	return after, true
}

// wallAfter returns the first matching minute after a reading.
func (e expression) wallAfter(wall time.Time) (time.Time, bool) {
	t := wall.Truncate(time.Minute).Add(time.Minute)
	for limit := t.AddDate(maxYears, 0, 0); t.Before(limit); {
		year, month, day := t.Date()
		switch {
		case e.month>>int(month)&1 == 0:
			t = time.Date(year, month+1, 1, 0, 0, 0, 0, time.UTC)
		case !e.days(t):
			t = time.Date(year, month, day+1, 0, 0, 0, 0, time.UTC)
		case e.hour>>t.Hour()&1 == 0:
			t = t.Truncate(time.Hour).Add(time.Hour)
		case e.minute>>t.Minute()&1 == 0:
			t = t.Add(time.Minute)
		default:
			return t, true
		}
	}
	return time.Time{}, false
}
