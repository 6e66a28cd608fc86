package chat_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/internal/draw"
)

// posting is one request that brings a signal.
type posting struct{ run, name, id, payload string }

func (p posting) line() string {
	return fmt.Sprintf("post /agents/postmaster/room/runs/%s/signals/%s %s %s", p.run, p.name, p.id, p.payload)
}

// office is a world with a postmaster.
type office struct {
	t      *testing.T
	w      *durabletest.World
	engine *losing
	out    string
}

func openOffice(t *testing.T) *office {
	w, engine, _ := losingWorld(t, "Postmaster")
	return &office{t: t, w: w, engine: engine}
}

// do performs actions, and returns what they have brought.
func (o *office) do(lines ...string) string {
	o.t.Helper()
	act(o.t, o.w, lines...)
	out := strings.Join(o.w.Take(), "\n")
	if strings.Contains(out, "trap") {
		o.t.Fatalf("trapped: %.600s", out)
	}
	o.out += out + "\n"
	return out
}

func (o *office) begin(order string) {
	o.t.Helper()
	o.do(`frame a {"type":"rpc","id":"begin","method":"begin","args":[`+order+`]}`, "tick 1s")
}

// inspect returns a run as the method of the postmaster shows it.
func (o *office) inspect(id string) string {
	o.t.Helper()
	out := o.do("connect inspector", `frame inspector {"type":"rpc","id":"inspect","method":"run","args":["`+id+`"]}`, "close inspector")
	found := regexp.MustCompile(`"id":"inspect","success":true,"done":true,"result":(.*)}`).FindStringSubmatch(out)
	if found == nil {
		o.t.Fatalf("the run %s is not shown: %s", id, out)
	}
	return found[1]
}

var answered = regexp.MustCompile(`respond (http\d+) (\d+) \S+ \S+ ({.*})`)

// posted performs a request and returns its status and state.
func (o *office) posted(p posting) (answer string) {
	o.t.Helper()
	found := answered.FindStringSubmatch(o.do(p.line()))
	if found == nil {
		return "no answer"
	}
	var body struct{ State string }
	if err := json.Unmarshal([]byte(found[3]), &body); err != nil {
		o.t.Fatal(err)
	}
	return strings.TrimSpace(found[2] + " " + body.State)
}

// TestLossesBetweenAllEventsOfASignal sends signals to a program, and over it to a program below,
// while the memory of one object, or the whole process, is lost before each event in turn. Each
// signal is posted until it is answered, under the same id. Everything is received once and in its
// order.
func TestLossesBetweenAllEventsOfASignal(t *testing.T) {
	for _, loss := range []string{"", "helper-1", "helper-1/helper-1", "crash", "commands"} {
		t.Run("of "+loss, func(t *testing.T) {
			for n := range draw.Moments(t) {
				if !signalsThough(t, loss, n) {
					break
				}
			}
		})
	}
	for _, loss := range []string{"", "helper-1", "helper-1/helper-1", "crash"} {
		for seed := range 10 {
			t.Run(fmt.Sprintf("again and again of %s, seed %d", loss, seed), func(t *testing.T) { signalsThough(t, loss, -seed-1) })
		}
	}
}

// signalsThough loses what loss says before the nth event, or after every fifth on average if
// n is negative. It says whether there were that many.
func signalsThough(t *testing.T, loss string, n int) (reached bool) {
	t.Helper()
	o := openOffice(t)
	o.w.Hold(func(durabletest.HandledEvent) {})
	events, running := 0, false // a helper that is lost each time that it is asked to take a run is given up
	dice := rand.New(rand.NewPCG(uint64(-n), 1))
	if loss == "commands" {
		o.engine.dies = n
	}
	lose := func() {
		events++
		if n >= 0 && events != n+1 || n < 0 && (!running || dice.IntN(5) > 0) || loss == "commands" {
			return
		}
		reached = true
		if loss == "crash" {
			o.w.Crash()
		} else {
			o.w.Evict(loss)
		}
	}
	rest := func() {
		for range 3000 {
			lanes := o.w.Lanes()
			at, due := o.w.Due()
			switch {
			case o.engine.hit:
				o.engine.hit, reached = false, true
				o.w.Crash()
				o.do("connect again")
			case len(lanes) > 0:
				o.w.Deliver(lanes[0])
				lose()
			case due && at < 1_700_006_000_000: // 100 minutes
				o.w.Tick()
				lose()
			default:
				o.out += strings.Join(o.w.Take(), "\n") + "\n"
				return
			}
			o.out += strings.Join(o.w.Take(), "\n") + "\n"
		}
		t.Fatalf("%s, loss %d: it does not come to rest", loss, n)
	}
	o.do("connect a")
	for !strings.Contains(o.out, `"id":"begin","success":true`) {
		o.do("connect a", `frame a {"type":"rpc","id":"begin","method":"begin","args":[{"id":"r","names":["go","stop","go"],"sleep":1,"relayed":true}]}`)
		rest()
	}
	running = true
	for i, p := range []posting{{"r", "stop", "s0", `"b"`}, {"r", "go", "s1", `"a"`}, {"r", "go", "s2", `"c"`}} {
		for try := 0; !strings.Contains(o.out, "respond http"+strconv.Itoa(i)+" "); try++ {
			if try > 5 {
				t.Fatalf("%s, loss %d: the signal %d is not answered", loss, n, i)
			}
			o.w.Tell(durable.RequestReceived{
				Request: "http" + strconv.Itoa(i), Method: "POST", URL: "/agents/postmaster/room/runs/" + p.run + "/signals/" + p.name,
				Header: map[string]string{"idempotency-key": p.id}, Body: []byte(p.payload),
			})
			rest()
		}
	}
	rest()
	if loss == "commands" {
		o.engine.dies = -1
	}
	if strings.Contains(o.out, "trap") {
		t.Fatalf("%s, loss %d: trapped", loss, n)
	}
	o.w.Do("release")
	want := `{"dropped":0,"error":"","output":{"below":{"received":["go \"a\"","stop \"b\"","go \"c\""]},"states":["kept","duplicate","kept","duplicate","kept","duplicate","over","unknown"]},"status":"completed"}`
	if got := o.inspect("r"); got != want {
		t.Errorf("%s, loss %d:\ngot  %s\nwant %s", loss, n, got, want)
	}
	if held := o.w.Holding(); len(held) > 0 {
		t.Errorf("%s, loss %d: it holds %v", loss, n, held)
	}
	return reached
}

// TestThousandSignalsFromFourSenders posts 1,000 signals, each twice under its id, while the helper
// loses its memory again and again. They are received once each, in order for each sender.
func TestThousandSignalsFromFourSenders(t *testing.T) {
	o := openOffice(t)
	o.do("connect a")
	var names []string
	for i := range 1_000 {
		names = append(names, fmt.Sprintf("%q", "from"+strconv.Itoa(i%4)))
	}
	o.begin(`{"id":"r","names":[` + strings.Join(names, ",") + `]}`)
	states := map[string]int{}
	for i := range 1_000 {
		p := posting{"r", "from" + strconv.Itoa(i%4), "s" + strconv.Itoa(i), strconv.Itoa(i)}
		states[o.posted(p)]++
		states[o.posted(p)]++
		if i%97 == 0 {
			o.do("evict helper-1", "tick 1s") // a person may make 300 requests a second
		}
	}
	if states["200 delivered"] != 1_000 || states["200 duplicate"] != 1_000 {
		t.Errorf("the states are %v", states)
	}
	o.do("tick 1s")
	var got struct {
		Output struct{ Received []string }
		Status string
	}
	if err := json.Unmarshal([]byte(o.inspect("r")), &got); err != nil || got.Status != "completed" || len(got.Output.Received) != 1_000 {
		t.Fatalf("%v, %s, %d received", err, got.Status, len(got.Output.Received))
	}
	for i, line := range got.Output.Received {
		if want := fmt.Sprintf("from%d %d", i%4, i); line != want {
			t.Fatalf("signal %d is %s, want %s", i, line, want)
		}
	}
}

// TestSignalsAreKeptUpToTheirLimits fills a run by number and by size. What it has received makes
// room again.
func TestSignalsAreKeptUpToTheirLimits(t *testing.T) {
	o := openOffice(t)
	o.do("connect a")
	o.begin(`{"id":"r","names":["go"]}`)
	for i := range limit.Signals {
		if got := o.posted(posting{"r", "other", "s" + strconv.Itoa(i), "1"}); got != "200 kept" {
			t.Fatalf("signal %d: %s", i, got)
		}
		if i%200 == 0 { // a person may make 300 requests a second
			o.do("tick 1s")
		}
	}
	if got := o.posted(posting{"r", "other", "full", "1"}); got != "429 full" {
		t.Errorf("one more: %s", got)
	}
	if out := o.do(`frame a {"type":"rpc","id":"c","method":"signal","args":[{"run":"r","name":"go","payload":1,"id":"full"}]}`); !strings.Contains(out, `"result":{"state":"full","error":"run r has as many signals waiting as it may have: 1000, and 4194304 bytes together, of one person a quarter"}`) {
		t.Errorf("a browser is told %s", out)
	}
	if got := o.posted(posting{"r", "other", "s7", "1"}); got != "200 duplicate" {
		t.Errorf("one that is kept: %s", got)
	}

	o.begin(`{"id":"big","names":["go","go"]}`)
	most := `"` + strings.Repeat("x", limit.SignalPayload-2) + `"`
	for i := range limit.SignalBytes/limit.SignalPayload - 1 {
		if got := o.posted(posting{"big", "other", "s" + strconv.Itoa(i), most}); got != "200 kept" {
			t.Fatalf("big signal %d: %s", i, got)
		}
	}
	for _, p := range []struct {
		posting
		want string
	}{
		{posting{"big", "go", "a", most}, "200 delivered"},
		{posting{"big", "other", "b", most}, "200 kept"},
		{posting{"big", "other", "c", "1"}, "429 full"},
		{posting{"big", "other", "d", most + " "}, "413"},
		{posting{"nobody", "other", "e", most + " "}, "413"},
		{posting{"big", "other", strings.Repeat("x", limit.SignalID+1), "1"}, "400"},
		{posting{"big", strings.Repeat("x", limit.SignalName+1), "f", "1"}, "400"},
		{posting{strings.Repeat("x", limit.ID+1), "go", "g", "1"}, "400"},
		{posting{"big", "go", "h", strings.Repeat("[", 2_000) + strings.Repeat("]", 2_000)}, "400"},
	} {
		if got := o.posted(p.posting); got != p.want {
			t.Errorf("%s %s: got %s, want %s", p.name[:min(len(p.name), 10)], p.id[:1], got, p.want)
		}
	}
	o.do(`frame a {"type":"rpc","id":"c","method":"cancelRun","args":["big"]}`, "tick 1s")
	if got := o.inspect("big"); !strings.Contains(got, `"dropped":16`) {
		t.Errorf("the run says %s", got)
	}
}

// TestLongestNamesAreTaken sends a signal whose name, id and payload are as long as they may be.
func TestLongestNamesAreTaken(t *testing.T) {
	o := openOffice(t)
	o.do("connect a")
	name := strings.Repeat("n", limit.SignalName)
	o.begin(`{"id":"r","names":["` + name + `"]}`)
	if got := o.posted(posting{"r", name, strings.Repeat("i", limit.SignalID), `"` + strings.Repeat("<", limit.SignalPayload-2) + `"`}); got != "200 delivered" {
		t.Errorf("got %s", got)
	}
}

// TestUnreachableHelperIsCalledTenTimes breaks every call. After ten calls in 48 seconds, the helper
// is called with every look at it.
func TestUnreachableHelperIsCalledTenTimes(t *testing.T) {
	o := openOffice(t)
	o.do("connect a")
	o.begin(`{"id":"r","names":["go"]}`)
	o.do("tick 10s")
	o.w.Hold(func(durabletest.HandledEvent) {})
	begun := o.w.Now()
	var calls []int64
	out := o.do(posting{"r", "go", "s", "1"}.line())
	for o.w.Now() < begun+180_000 {
		if o.w.Cut("helper-1:signal/r") {
			calls = append(calls, (o.w.Now()-begun)/100)
		}
		if lanes := o.w.Lanes(); len(lanes) > 0 {
			o.w.Deliver(lanes[0])
			continue
		}
		o.w.Tick()
	}
	if got, want := fmt.Sprint(calls[:10]), "[0 5 15 35 75 155 235 315 395 475]"; got != want {
		t.Errorf("the helper is called at %s tenths of a second, want %s", got, want)
	}
	if further := len(calls) - 10; further < 3 || further > 6 {
		t.Errorf("the helper is called %d times in the two minutes after: %v", further, calls)
	}
	if out += strings.Join(o.w.Take(), "\n"); strings.Count(out, "respond http1 200") != 1 || !strings.Contains(out, `{"state":"kept"}`) {
		t.Errorf("the sender is told %.300s", out)
	}
	o.do("release", "tick 1m")
	if got := o.inspect("r"); !strings.Contains(got, `"received":["go 1"]`) {
		t.Errorf("the run says %s", got)
	}
}

// TestHungCallIsMadeAgain never answers the call that brings a signal.
func TestHungCallIsMadeAgain(t *testing.T) {
	o := openOffice(t)
	o.do("connect a")
	o.begin(`{"id":"r","names":["go"]}`)
	o.w.Hold(func(durabletest.HandledEvent) {})
	o.do(posting{"r", "go", "s", "1"}.line())
	if _, ok := o.w.Mute("helper-1:signal/r"); !ok {
		t.Fatal("there is no call")
	}
	o.do("release", "tick 2m")
	if !strings.Contains(o.out, `{"state":"kept"}`) {
		t.Errorf("the sender is told %s", o.out)
	}
	if got := o.inspect("r"); !strings.Contains(got, `"received":["go 1"]`) {
		t.Errorf("the run says %s", got)
	}
}

// TestSignalThatComesDuringACallFollowsIt sends two signals while a call with another one is under way.
func TestSignalThatComesDuringACallFollowsIt(t *testing.T) {
	o := openOffice(t)
	o.do("connect a")
	o.begin(`{"id":"r","names":["go","go","go"]}`)
	o.do("hold", posting{"r", "go", "s1", "1"}.line(), "arrive helper-1:signal/r", posting{"r", "go", "s2", "2"}.line(), posting{"r", "go", "s3", "3"}.line())
	o.do("release", "tick 1s")
	if n := strings.Count(o.out, "call signal/r"); n != 2 {
		t.Errorf("there are %d calls, want one with the first signal and one with the others", n)
	}
	if got := o.inspect("r"); !strings.Contains(got, `"received":["go 1","go 2","go 3"]`) {
		t.Errorf("the run says %s", got)
	}
}

// TestAnswerToASignalOvertakesTheEndOfTheStream has a helper say that nothing will happen for long,
// and receive a signal before its parent reads that. The parent reads on.
func TestAnswerToASignalOvertakesTheEndOfTheStream(t *testing.T) {
	o := openOffice(t)
	o.do("connect a", "hold")
	o.do(`frame a {"type":"rpc","id":"begin","method":"begin","args":[{"id":"r","names":["go","go"]}]}`)
	o.do("arrive helper-1:tail/r", "arrive :tail/r", "tick 10ms", "arrive helper-1:tail/r") // the helper has ended its stream
	if lanes := o.w.Lanes(); !slices.Equal(lanes, []string{":tail/r"}) {
		t.Fatalf("on the way is %v, want the end of the stream", lanes)
	}
	o.do(posting{"r", "go", "s1", "1"}.line(), "arrive helper-1:signal/r", "arrive :signal/r")
	if !strings.Contains(o.out, `{"state":"delivered"}`) {
		t.Fatalf("the sender is told %s", o.out)
	}
	o.do("release")
	o.do("tick 1s")
	if !strings.Contains(o.out, `go 1`) {
		t.Errorf("the parent does not show what the helper says: %s", o.out)
	}
	o.do(posting{"r", "go", "s2", "2"}.line(), "tick 1s")
	if got := o.inspect("r"); !strings.Contains(got, `"received":["go 1","go 2"]`) {
		t.Errorf("the run says %s", got)
	}
}

// TestSenderOfASignalToARunThatEndsIsTold stops the run while the signal is on its way.
func TestSenderOfASignalToARunThatEndsIsTold(t *testing.T) {
	o := openOffice(t)
	o.do("connect a")
	o.begin(`{"id":"r","names":["go"]}`)
	o.do("hold", posting{"r", "go", "s", "1"}.line(), `frame a {"type":"rpc","id":"c","method":"cancelRun","args":["r"]}`, "cut helper-1:signal/r")
	if !strings.Contains(o.out, `respond http1 409`) || !strings.Contains(o.out, "run r has ended before it could be brought the signal") {
		t.Errorf("the sender is told %s", o.out)
	}
	o.do("release", "tick 1s")
	if got := o.inspect("r"); !strings.Contains(got, `"dropped":1`) {
		t.Errorf("the run says %s", got)
	}
}

// TestCancelledRunSaysWhatItHasReceived stops a run that has received a signal which its parent has
// not heard of. The answer to the cancellation corrects the number of those that were dropped.
func TestCancelledRunSaysWhatItHasReceived(t *testing.T) {
	o := openOffice(t)
	o.do("connect a")
	o.begin(`{"id":"r","names":["go","go"]}`)
	o.do("hold", posting{"r", "go", "s", "1"}.line(), "arrive helper-1:signal/r", `frame a {"type":"rpc","id":"c","method":"cancelRun","args":["r"]}`)
	if got := o.inspect("r"); !strings.Contains(got, `"dropped":1`) {
		t.Errorf("the run says %s", got)
	}
	o.do("release", "tick 1s")
	if got := o.inspect("r"); !strings.Contains(got, `"dropped":0`) {
		t.Errorf("the run says %s", got)
	}
}

// TestRunThatWaitsForASignalHoldsNothing has no stream, no timer and no memory, and an object that
// sends no signals has no table of them.
func TestRunThatWaitsForASignalHoldsNothing(t *testing.T) {
	o := openOffice(t)
	o.do("connect a")
	o.begin(`{"id":"r","names":["go"]}`)
	o.do("tick 1m")
	// The silence of a detached run is limited, so there is an alarm.
	if held := o.w.Holding(); !slices.Equal(held, []string{"an alarm"}) {
		t.Errorf("it holds %v", held)
	}
	tables := func(object string) string {
		return strings.Join(query(t, o.engine.Native, object, `SELECT name FROM sqlite_schema WHERE type = 'table' AND (name LIKE 'signal%' OR name LIKE 'inbox%') ORDER BY name`), " ")
	}
	if got := tables("room") + tables(o.w.Object("helper-1")); got != "" {
		t.Errorf("without a signal there are the tables %s", got)
	}
	o.posted(posting{"r", "other", "s", "1"})
	o.do("tick 1m")
	if got, want := tables("room")+" "+tables(o.w.Object("helper-1")), "signal signal_count signal_id inbox inbox_signal"; got != want {
		t.Errorf("there are the tables %s, want %s", got, want)
	}
	if held := o.w.Holding(); !slices.Equal(held, []string{"an alarm"}) {
		t.Errorf("with a signal that is kept it holds %v", held)
	}
	for _, row := range query(t, o.engine.Native, "room", `SELECT COUNT(*) FROM signal`) {
		if row != "0" {
			t.Errorf("the owner keeps %s signals that are acknowledged", row)
		}
	}
}

// TestSignalSaysWhoHasSentIt posts signals with and without claims.
func TestSignalSaysWhoHasSentIt(t *testing.T) {
	o := openOffice(t)
	o.do("connect a")
	o.begin(`{"id":"r","names":["who","who","who","who"]}`)
	longest := strings.Repeat("x", limit.Subject)
	for _, claims := range []string{"", `{"sub":"` + longest + `"}`, `{"sub":"` + longest + `x"}`} {
		o.w.Tell(durable.RequestReceived{
			Request: "http", Method: "POST", URL: "/agents/postmaster/room/runs/r/signals/who", Body: []byte("1"), Claims: claims,
		})
	}
	o.w.Tell(durable.SocketMessage{
		Conn: "a", Text: `{"type":"rpc","id":"s","method":"signal","args":[{"run":"r","name":"who","payload":2}]}`, Claims: `{"sub":"ada","scopes":["pay"],"exp":1}`,
	})
	o.do("tick 1s")
	if got := o.inspect("r"); !strings.Contains(got, `"received":["who 1","who 1 by `+longest+`","who 1","who 2 by ada"]`) {
		t.Errorf("the run says %s", got)
	}
}

// TestEndedRunKeepsNoSignal ends runs in three ways while a signal waits at their helpers.
func TestEndedRunKeepsNoSignal(t *testing.T) {
	for _, end := range []string{
		`frame a {"type":"rpc","id":"c","method":"cancelRun","args":["r"]}`,
		posting{"r", "go", "s2", "2"}.line(), posting{"r", "go", "s2", `"fail"`}.line(),
	} {
		o := openOffice(t)
		o.do("connect a")
		o.begin(`{"id":"r","names":["go"]}`)
		o.do(posting{"r", "other", "s1", "1"}.line())
		kept := func() string {
			return strings.Join(query(t, o.engine.Native, o.w.Object("helper-1"), `SELECT name FROM inbox_signal`), " ")
		}
		if got := kept(); got != "other" {
			t.Fatalf("the helper keeps %q", got)
		}
		if o.do(end, "tick 1s"); kept() != "" {
			t.Errorf("%s: the helper keeps %q", end, kept())
		}
		if got := o.inspect("r"); !strings.Contains(got, `"dropped":1`) {
			t.Errorf("%s: the run says %s", end, got)
		}
	}
}
