package schedule

import (
	"fmt"
	"time"
)

// This file is about clocks on the wall. What one shows is a [time.Time] in UTC here; a
// zone is a row of segments with one offset each, and clocks jump between them.

// maxYears is how far ahead a cron expression is looked for: a 29 February may be eight
// years away.
const maxYears = 9

// nextCron returns the first time after now that an expression means, in milliseconds since
// 1970.
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

func load(zone string) (*time.Location, error) {
	if len(zone) > 64 || zone == "Local" { // the clock of the machine is nobody's
		return nil, fmt.Errorf("schedule: %.64q is no time zone", zone)
	}
	location, err := time.LoadLocation(zone)
	if err != nil {
		return nil, fmt.Errorf(`schedule: the time zone %q is not known; a module knows zones other than UTC where its main imports _ "time/tzdata"`, zone)
	}
	return location, nil
}

// after returns the first time after t that is meant, in the zone of t.
func (e expression) after(t time.Time) (time.Time, bool) {
	wall := shown(t)
	start, end := t.ZoneBounds()
	if !e.anyHour && !start.IsZero() { // what has come once, before the clocks were put back, does not come again
		wall = later(wall, shown(start.Add(-time.Minute)).Truncate(time.Minute))
	}
	for limit := t.AddDate(maxYears, 0, 0); !t.After(limit); {
		next, ok := e.wallAfter(wall)
		if !ok {
			return time.Time{}, false
		}
		_, offset := t.Zone()
		found := next.Add(-time.Duration(offset) * time.Second).In(t.Location())
		if end.IsZero() || found.Before(end) {
			return found, true
		}
		begins := shown(end)
		if !e.anyHour && next.Before(begins) { // the clocks jump over it
			return end, true
		}
		wall = later(shown(end.Add(-1)).Truncate(time.Minute), begins.Add(-1))
		if e.anyHour {
			wall = begins.Add(-1)
		}
		t = end
		_, end = t.ZoneBounds()
	}
	return time.Time{}, false
}

// shown is what the clocks of its zone show at t.
func shown(t time.Time) time.Time {
	_, offset := t.Zone()
	return t.UTC().Add(time.Duration(offset) * time.Second)
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// wallAfter returns the first minute that is meant behind what a clock shows.
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
