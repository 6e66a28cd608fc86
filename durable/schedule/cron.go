package schedule

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// This file parses cron expressions. The most used library would add 112 kB to the module (32 kB
// gzipped). The tests of package crontest compare this parser with it.

// maxSpec is the size of an expression, in bytes.
const maxSpec = 256

// expression is the matching minutes, hours, days and months, each a set of bits.
type expression struct {
	minute, hour, day, month, weekday uint64
	// anyHour says that all hours match. anyDay says that the day of the month or the day of the
	// week is unrestricted; otherwise a match of either is enough.
	anyHour, anyDay bool
}

// field is the range of one of the five fields, and the names for its numbers.
type field struct {
	name     string
	min, max int
	names    []string
}

var fields = [5]field{
	{name: "minute", max: 59},
	{name: "hour", max: 23},
	{name: "day of the month", min: 1, max: 31},
	{name: "month", min: 1, max: 12, names: strings.Fields("jan feb mar apr may jun jul aug sep oct nov dec")},
	{name: "day of the week", max: 7, names: strings.Fields("sun mon tue wed thu fri sat")},
}

// macros are expressions that have a name.
var macros = map[string]string{
	"@hourly": "0 * * * *", "@daily": "0 0 * * *", "@midnight": "0 0 * * *", "@weekly": "0 0 * * 0", "@monthly": "0 0 1 * *",
	"@yearly": "0 0 1 1 *", "@annually": "0 0 1 1 *",
}

func parseCron(spec string) (expression, error) {
	if len(spec) > maxSpec {
		return expression{}, fmt.Errorf("schedule: a cron expression of %d bytes, at most %d", len(spec), maxSpec)
	}
	if macro, ok := macros[strings.ToLower(spec)]; ok {
		spec = macro
	}
	words := strings.Fields(spec)
	if len(words) != len(fields) {
		return expression{}, fmt.Errorf("schedule: the cron expression %q has %d fields, not %d", spec, len(words), len(fields))
	}
	var sets [5]uint64
	for i, word := range words {
		var err error
		if sets[i], err = fields[i].parse(word); err != nil {
			return expression{}, fmt.Errorf("schedule: the %s of the cron expression %q: %w", fields[i].name, spec, err)
		}
	}
	all := func(i int) bool { return strings.HasPrefix(words[i], "*") }
	return expression{
		minute: sets[0], hour: sets[1], day: sets[2], month: sets[3], weekday: sets[4] | sets[4]>>7&1, // 7 is Sunday too
		anyHour: words[1] == "*", anyDay: all(2) || all(4),
	}, nil
}

// parse parses a list of ranges.
func (f field) parse(list string) (set uint64, err error) {
	for item := range strings.SplitSeq(list, ",") {
		bits, err := f.parseRange(item)
		if err != nil {
			return 0, err
		}
		set |= bits
	}
	return set, nil
}

// parseRange parses *, a number, or a range, each with or without a step behind a slash.
func (f field) parseRange(item string) (set uint64, err error) {
	span, every, stepped := strings.Cut(item, "/")
	step := 1
	if stepped {
		if step, err = strconv.Atoi(every); err != nil || step < 1 || step > f.max {
			return 0, fmt.Errorf("%q is no step", every)
		}
	}
	first, last, ranged := strings.Cut(span, "-")
	from, to := f.min, f.max
	if span != "*" {
		if from, err = f.number(first); err != nil {
			return 0, err
		}
		if !ranged && !stepped {
			to = from
		}
	}
	if ranged {
		if to, err = f.number(last); err != nil {
			return 0, err
		}
	}
	if from > to {
		return 0, fmt.Errorf("%q ends before it begins", item)
	}
	for n := from; n <= to; n += step {
		set |= 1 << n
	}
	return set, nil
}

func (f field) number(word string) (int, error) {
	for i, name := range f.names {
		if strings.EqualFold(name, word) {
			return f.min + i, nil
		}
	}
	n, err := strconv.Atoi(word)
	if err != nil || word[0] == '+' || n < f.min || n > f.max {
		return 0, fmt.Errorf("%q is no number from %d to %d", word, f.min, f.max)
	}
	return n, nil
}

// means says whether a minute of a wall clock matches.
func (e expression) means(t time.Time) bool {
	return e.month>>int(t.Month())&1 == 1 && e.days(t) && e.hour>>t.Hour()&1 == 1 && e.minute>>t.Minute()&1 == 1
}

// days says whether a day matches.
func (e expression) days(t time.Time) bool {
	month, week := e.day>>t.Day()&1 == 1, e.weekday>>int(t.Weekday())&1 == 1
	if e.anyDay {
		return month && week
	}
	return month || week
}
