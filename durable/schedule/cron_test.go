package schedule

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
	_ "time/tzdata"
)

func TestCronByTheClocksOfAZone(t *testing.T) {
	const zurich = "Europe/Zurich" // forward on 2026-03-29 at 02:00, back on 2026-10-25 at 03:00
	tests := []struct {
		name, spec, zone, from string
		want                   []string
	}{
		{"every weekday", "30 9 * * 1-5", "", "2026-01-02T09:30:00Z", []string{"2026-01-05T09:30:00Z", "2026-01-06T09:30:00Z"}},
		{"names, lists and steps", "*/20 8,20 1 JAN-mar *", "", "2026-02-01T08:21:00Z", []string{"2026-02-01T08:40:00Z", "2026-02-01T20:00:00Z"}},
		{"either day is enough", "0 0 13 * fri", "", "2026-01-09T00:00:00Z", []string{"2026-01-13T00:00:00Z", "2026-01-16T00:00:00Z"}},
		{"7 is Sunday", "0 0 * * 7", "", "2026-01-01T00:00:00Z", []string{"2026-01-04T00:00:00Z"}},
		{"a macro", "@monthly", "", "2026-01-01T00:00:00Z", []string{"2026-02-01T00:00:00Z"}},
		{"29 February", "0 0 29 2 *", "", "2096-02-29T00:00:00Z", []string{"2104-02-29T00:00:00Z"}},
		{"a zone", "0 9 * * *", zurich, "2026-01-01T08:00:00Z", []string{"2026-01-02T08:00:00Z"}},
		{"an hour that is missing is made up for at the jump", "30 2 * * *", zurich, "2026-03-28T01:30:00Z", []string{"2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z"}},
		{"all of it at once", "*/10 2,3 * * *", zurich, "2026-03-28T02:50:00Z", []string{"2026-03-29T01:00:00Z", "2026-03-29T01:10:00Z"}},
		{"an hour that comes twice is called once", "30 2 * * *", zurich, "2026-10-24T00:30:00Z", []string{"2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"}},
		{"also when asked within its second time", "45 2 * * *", zurich, "2026-10-25T01:30:00Z", []string{"2026-10-26T01:45:00Z"}},
		{"behind it all goes on", "0 3 * * *", zurich, "2026-10-25T00:30:00Z", []string{"2026-10-25T02:00:00Z"}},
		{"all hours are those that pass, of one that comes twice", "30 * * * *", zurich, "2026-10-25T00:00:00Z", []string{"2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z", "2026-10-25T02:30:00Z"}},
		{"and of one that is missing", "30 * * * *", zurich, "2026-03-29T00:00:00Z", []string{"2026-03-29T00:30:00Z", "2026-03-29T01:30:00Z"}},
		{"a leap year beyond what is tabled", "0 9 1 7 *", zurich, "2044-12-30T00:00:00Z", []string{"2045-07-01T07:00:00Z", "2046-07-01T07:00:00Z"}},
		{"all hours of it", "0 * 1 7 *", "America/New_York", "2044-12-30T00:00:00Z", []string{"2045-07-01T04:00:00Z", "2045-07-01T05:00:00Z"}},
		{"far in the west", "0 0 * * *", "Pacific/Pago_Pago", "2026-01-01T00:00:00Z", []string{"2026-01-01T11:00:00Z"}},
		{"far in the east", "0 0 * * *", "Pacific/Kiritimati", "2026-01-01T00:00:00Z", []string{"2026-01-01T10:00:00Z"}},
		{"a jump of half an hour", "15 2 * * *", "Australia/Lord_Howe", "2026-10-03T10:00:00Z", []string{"2026-10-03T15:30:00Z"}},
		{"a day that was left out", "0 12 30 12 *", "Pacific/Apia", "2011-12-01T00:00:00Z", []string{"2011-12-30T10:00:00Z"}},
	}
	for _, test := range tests {
		now := must(t, test.from)
		for _, want := range test.want {
			got, err := nextCron(test.spec, test.zone, now)
			if err != nil || got != must(t, want) {
				t.Errorf("%s: got %s (%v), want %s", test.name, time.UnixMilli(got).UTC().Format(time.RFC3339), err, want)
			}
			now = got
		}
	}
}

func TestCronRefuses(t *testing.T) {
	for spec, want := range map[string]string{
		"":                             "has 0 fields",
		"* * * *":                      "has 4 fields",
		"0 0 0 * * *":                  "has 6 fields",
		"60 * * * *":                   `the minute of the cron expression "60 * * * *": "60" is no number from 0 to 59`,
		"* 24 * * *":                   "the hour",
		"* * 0 * *":                    "the day of the month",
		"* * * jum *":                  "the month",
		"* * * * 8":                    "the day of the week",
		"5-1 * * * *":                  "ends before it begins",
		"*/0 * * * *":                  "is no step",
		"*/x * * * *":                  "is no step",
		"1,,2 * * * *":                 "is no number",
		"+1 * * * *":                   "is no number",
		"*-5 * * * *":                  "is no number",
		"0 0 30 2 *":                   "never comes",
		"@every 1s":                    "has 2 fields",
		strings.Repeat("1,", 200):      "bytes",
		"TZ=Asia/Tokyo 0 9 * * *":      "has 6 fields",
		"99999999999999999999 * * * *": "is no number",
	} {
		if _, err := nextCron(spec, "", 0); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", spec, err, want)
		}
	}
}

// TestMain sets the zones as package zone does, because this package cannot import it.
func TestMain(m *testing.M) {
	LoadZone = time.LoadLocation
	os.Exit(m.Run())
}

func TestUnknownZoneSaysWhatToDo(t *testing.T) {
	for _, zone := range []string{"Europe/Atlantis", "../etc/passwd", "Local", strings.Repeat("x", 100)} {
		_, err := nextCron("* * * * *", zone, 0)
		if err == nil || !strings.Contains(err.Error(), "time zone") {
			t.Errorf("%q: %v", zone, err)
		}
	}
	LoadZone = nil
	defer func() { LoadZone = time.LoadLocation }()
	if _, err := load("Europe/Zurich"); err == nil || !strings.Contains(err.Error(), `durable/schedule/zone"`) {
		t.Errorf("nobody is told what to import: %v", err)
	}
	if _, err := load("UTC"); err != nil {
		t.Errorf("UTC is not known: %v", err)
	}
}

// TestCronMeansWhatClocksShow compares it with a check of every minute of the days around a jump,
// in zones whose clocks jump at different hours.
func TestCronMeansWhatClocksShow(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	jumps := map[string][]string{
		"Europe/Zurich": {"2026-03-28T00:00:00Z", "2026-10-24T00:00:00Z"}, "America/New_York": {"2044-03-12T00:00:00Z", "2044-11-05T00:00:00Z"},
		"Australia/Lord_Howe": {"2026-04-03T00:00:00Z", "2026-10-02T00:00:00Z"}, "Africa/Cairo": {"2026-04-23T00:00:00Z", "2026-10-28T00:00:00Z"},
	}
	for zone, days := range jumps {
		location, err := load(zone)
		if err != nil {
			t.Fatal(err)
		}
		for range 200 {
			hour := word(random, 0, 23)
			e, err := parseCron(word(random, 0, 59) + " " + hour + " * * *")
			if err != nil {
				t.Fatal(err)
			}
			for _, day := range days {
				from := time.UnixMilli(must(t, day)).In(location)
				got := times(e, from, from.Add(48*time.Hour))
				if want := seen(e, from, from.Add(48*time.Hour)); !slices.Equal(got, want) {
					t.Fatalf("%s %s: %+v: got %v, want %v", zone, day, e, got, want)
				}
			}
		}
	}
}

// times returns the matching times of an expression, in minutes since from.
func times(e expression, from, to time.Time) (minutes []int) {
	for at, ok := e.after(from); ok && !at.After(to); at, ok = e.after(at) {
		minutes = append(minutes, int(at.Sub(from).Minutes()))
	}
	return minutes
}

// seen returns the same times by reading the clock in every minute. It skips a repeated reading,
// and makes up for a missing one, unless all hours match.
func seen(e expression, from, to time.Time) (minutes []int) {
	highest := shown(from)
	for at := from.Add(time.Minute); !at.After(to); at = at.Add(time.Minute) {
		wall := shown(at)
		meant := e.means(wall) && (e.anyHour || wall.After(highest))
		for left := highest.Add(time.Minute); left.Before(wall) && !e.anyHour; left = left.Add(time.Minute) {
			meant = meant || e.means(left)
		}
		if meant {
			minutes = append(minutes, int(at.Sub(from).Minutes()))
		}
		highest = later(highest, wall)
	}
	return minutes
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// word returns a field of a cron expression.
func word(random *rand.Rand, low, high int) string {
	a, b := low+random.IntN(high-low+1), low+random.IntN(high-low+1)
	switch random.IntN(5) {
	case 0:
		return fmt.Sprint(a)
	case 1:
		return fmt.Sprintf("%d-%d", min(a, b), max(a, b))
	case 2:
		return fmt.Sprintf("%d,%d", a, b)
	case 3:
		return fmt.Sprintf("%d-%d/%d", min(a, b), max(a, b), 1+random.IntN(5))
	}
	return "*"
}

// FuzzCron shows that every text gives an error or a future time that matches.
func FuzzCron(f *testing.F) {
	f.Add("*/5 1-3,7 * jan sun", "Europe/Zurich", int64(1_700_000_000_000))
	f.Fuzz(func(t *testing.T, spec, zone string, now int64) {
		now %= 1 << 45
		got, err := nextCron(spec, zone, now)
		if err == nil && got <= now {
			t.Errorf("%q in %q after %d: %d", spec, zone, now, got)
		}
	})
}

func must(t *testing.T, text string) int64 {
	t.Helper()
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t.Fatal(err)
	}
	return at.UnixMilli()
}
