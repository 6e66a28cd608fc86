package chat_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/chat/chattest"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/internal/draw"
)

// voyage is a conversation whose helpers begin detached runs. Memory is lost once, after an event.
type voyage struct {
	t      *testing.T
	engine *losing
	world  *durabletest.World
	// events counts the events. The memory is lost after the event at, of all objects if slot is
	// "all", and otherwise of the object there. events is how many there were.
	events, at int
	slot       string
	out        strings.Builder
}

func newVoyage(t *testing.T, slot string, at int) *voyage {
	t.Helper()
	v := &voyage{t: t, engine: &losing{Native: durabletest.NewNative(1, chattest.Classes()...), dies: -1}, slot: slot, at: at}
	v.world = durabletest.NewWorld(v.engine, "Harbour", "room")
	v.world.Hold(func(durabletest.HandledEvent) { v.events++ })
	return v
}

// do performs actions, and then lets everything happen that is under way or due.
func (v *voyage) do(actions ...string) {
	v.t.Helper()
	for _, action := range actions {
		if err := v.world.Do(action); err != nil {
			v.t.Fatalf("%s: %v", action, err)
		}
		v.rest()
	}
}

func (v *voyage) rest() {
	v.t.Helper()
	for range 3000 {
		v.lose()
		lanes := v.world.Lanes()
		_, due := v.world.Due()
		switch {
		case len(lanes) > 0:
			v.world.Deliver(lanes[0])
		case due:
			v.world.Tick()
		default:
			v.out.WriteString(strings.Join(v.world.Take(), "\n") + "\n")
			return
		}
	}
	v.t.Fatalf("%s %d: it does not come to rest", v.slot, v.at)
}

// lose loses the memory once its time has come.
func (v *voyage) lose() {
	if v.events <= v.at || v.slot == "" {
		return
	}
	switch slot := v.slot; slot {
	case "all":
		v.world.Crash()
		v.again()
	case "root":
		v.world.Evict("")
	default:
		v.world.Evict(slot)
	}
	v.slot = ""
}

// again connects a tab after a loss of all sockets.
func (v *voyage) again() {
	if err := v.world.Do("connect again"); err != nil {
		v.t.Fatal(err)
	}
}

func (v *voyage) rows(slot, statement string) (lines []string) {
	v.t.Helper()
	storage, err := v.engine.Storage(v.world.Object(slot))
	if err != nil {
		v.t.Fatal(err)
	}
	rows, err := storage.SQL(statement, nil)
	if err != nil && !strings.Contains(err.Error(), "no such table") {
		v.t.Fatal(err)
	}
	for _, row := range rows {
		var line []string
		for i := range row {
			line = append(line, row.Text(i))
		}
		lines = append(lines, strings.Join(line, " "))
	}
	return lines
}

// ends returns the ends of runs that the handlers of an object have taken.
func (v *voyage) ends(slot string) string {
	return strings.Join(v.rows(slot, `SELECT value FROM setting WHERE key = 'state'`), "")
}

func (v *voyage) check(what string, got, want any) {
	v.t.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		v.t.Errorf("loss of %s after %d events: %s: got %v, want %v", v.slot, v.at, what, got, want)
	}
}

// checkRest checks that nothing is left under way in an object, and that no end is owed.
func (v *voyage) checkRest(slots ...string) {
	v.t.Helper()
	for _, slot := range slots {
		v.check("letters of "+slot, v.rows(slot, `SELECT run, state FROM letter`), []string(nil))
		v.check("schedule of "+slot, v.rows(slot, `SELECT kind, id FROM schedule`), []string(nil))
		v.check("awaits of "+slot, v.rows(slot, `SELECT routine, name FROM await`), []string(nil))
	}
}

// TestRunOfAHelperWhateverIsLost has a helper of the root, and one of that helper, begin a detached
// run. It throws memory away after each event: that of all objects, and of each alone. The run is
// done once, and its end reaches the helper's handler once.
func TestRunOfAHelperWhateverIsLost(t *testing.T) {
	for class, levels := range map[string][]string{
		"Pilot": {"all", "root", "helper-1", "helper-2"},
		"Mate":  {"all", "root", "helper-1", "helper-1/helper-1", "helper-2"},
	} {
		origin := "helper-1"
		if class == "Mate" {
			origin = "helper-1/helper-1"
		}
		for _, slot := range levels {
			t.Run(class+", "+slot, func(t *testing.T) {
				for at := range draw.Moments(t) {
					if !voyages(t, class, origin, slot, at+1) {
						break
					}
				}
			})
		}
	}
}

// voyages plays a conversation and says whether it had as many events.
func voyages(t *testing.T, class, origin, slot string, at int) bool {
	v := newVoyage(t, slot, at)
	v.do("connect a", "say a R1 u1: tool=research class="+class+" id=p begin=d1,own,sleep=2s,reach=half,sleep=2s join=d1,half")
	lost := v.slot == ""
	v.slot = slot
	v.check("ends", v.ends(origin), `["d1 completed done"]`)
	v.check("runs", v.rows("", `SELECT id, class, status FROM run ORDER BY seq`), "[p "+class+" completed d1 Reporter completed]")
	v.check("the helper's list", v.rows(origin, `SELECT id, class, status, CASE milestones WHEN 1 THEN 'half' END FROM run ORDER BY seq`), "[d1 Reporter completed half]")
	v.check("reporters", v.rows("helper-2", `SELECT run, CASE ended WHEN 1 THEN 'ended' END FROM task`), "[d1 ended]")
	v.check("what the helper was told", v.rows("", `SELECT summary FROM run WHERE id = 'p'`), "[began d1; reached half]")
	v.checkRest("", "helper-1", origin, "helper-2")
	return lost
}

// TestRunOfAHelperWhoseCommandsAreLost loses the commands of each event in turn, and all memory with
// them.
func TestRunOfAHelperWhoseCommandsAreLost(t *testing.T) {
	for _, class := range []string{"Pilot", "Mate"} {
		t.Run(class, func(t *testing.T) {
			for n := range draw.Moments(t) {
				if !survives(t, class, n) {
					break
				}
			}
		})
	}
}

func survives(t *testing.T, class string, n int) bool {
	v := newVoyage(t, "", n)
	origin := map[string]string{"Pilot": "helper-1", "Mate": "helper-1/helper-1"}[class]
	died := false
	countdown := n
	v.engine.lost = func(durable.Command) bool { return false }
	v.engine.every = func() bool {
		countdown--
		return countdown == -1
	}
	actions := []string{"connect a", "say a R1 u1: tool=research class=" + class + " id=p begin=d1,own,sleep=2s,reach=half,sleep=2s join=d1,half"}
	for _, action := range actions {
		if err := v.world.Do(action); err != nil {
			t.Fatal(err)
		}
		for range 3000 {
			lanes := v.world.Lanes()
			_, due := v.world.Due()
			if v.engine.hit {
				v.engine.hit, died = false, true
				v.world.Crash()
				v.again()
			} else if len(lanes) > 0 {
				v.world.Deliver(lanes[0])
			} else if due {
				v.world.Tick()
			} else {
				break
			}
		}
	}
	if !died {
		return false
	}
	if len(v.rows("", `SELECT 1 FROM run`)) == 0 { // the message itself was lost
		return true
	}
	v.check("ends", v.ends(origin), `["d1 completed done"]`)
	v.check("runs", v.rows("", `SELECT id, class, status FROM run ORDER BY seq`), "[p "+class+" completed d1 Reporter completed]")
	v.check("reporters", v.rows("helper-2", `SELECT run, CASE ended WHEN 1 THEN 'ended' END FROM task`), "[d1 ended]")
	v.checkRest("", "helper-1", origin, "helper-2")
	return true
}

// TestWaitForAMilestoneAboveHoldsNothing has a helper wait for a milestone of a run that the root hosts.
// The run sleeps meanwhile. Nothing is held. Memory is lost after each event.
func TestWaitForAMilestoneAboveHoldsNothing(t *testing.T) {
	for class, origin := range map[string]string{"Pilot": "helper-1", "Mate": "helper-1/helper-1"} {
		for _, slot := range []string{"all", "root", origin} {
			t.Run(class+", "+slot, func(t *testing.T) {
				t.Parallel()
				for at := range draw.Moments(t) {
					v := newVoyage(t, slot, at+1)
					for _, action := range []string{"connect a", "say a R1 u1: tool=research class=" + class + " id=p begin=d1,own,sleep=2h,reach=half,sleep=2s join=d1,half"} {
						if err := v.world.Do(action); err != nil {
							t.Fatal(err)
						}
					}
					until := v.world.Now() + 30*60_000
					for n := 0; ; n++ {
						v.lose()
						if at, due := v.world.Due(); len(v.world.Lanes()) > 0 {
							v.world.Deliver(v.world.Lanes()[0])
						} else if due && at < until {
							v.world.Tick()
						} else {
							break
						}
						if n > 3000 {
							t.Fatalf("%s %d: it does not come to rest", slot, v.at)
						}
					}
					v.check("what is held", v.world.Holding(), "[an alarm]")
					v.rest()
					lost := v.slot == ""
					v.check("ends", v.ends(origin), `["d1 completed done"]`)
					v.check("what the helper was told", v.rows("", `SELECT summary FROM run WHERE id = 'p'`), "[began d1; reached half]")
					v.checkRest("", "helper-1", origin, "helper-2")
					if t.Failed() {
						t.FailNow()
					}
					if !lost {
						break
					}
				}
			})
		}
	}
}

// TestHostedRunKeepsWhatItsHelperSays has a helper begin a run, and the root restart it with a newer
// program.
func TestHostedRunKeepsWhatItsHelperSays(t *testing.T) {
	var versions []string
	version := "1"
	leaf := func() agent.Agent {
		return agent.Agent{Name: "Scribe", Helper: true, Version: version, Program: agent.NewProgram(func(c *agent.Context, in payment) (string, error) {
			begun := agent.Version(c)
			_, err := flow.Step(c, "note", func(*durable.Tx) (any, error) { versions = append(versions, begun); return nil, nil })
			return "ok", errors.Join(err, flow.Sleep(c, time.Minute), c.Milestone("half", "half of it is written"))
		})}
	}
	begin := agent.NewTool("begin", "Begins.", func(c *agent.Context, in payment) (string, error) {
		return agent.RunAgent(c, leaf(), in, agent.Detached("written"), agent.RunID("hosted"), agent.Narrate("half")).Run, nil
	})
	editor := agent.Agent{
		Name: "Editor", Helper: true, Model: obedient{}, Tools: []agent.Tool{begin},
		Handlers: map[string]agent.RunHook{"written": func(*agent.Conversation, agent.RunInfo) error { return nil }},
	}
	root := agent.Agent{Name: "Publisher", Model: obedient{}, Tools: []agent.Tool{delegate("delegate", editor)}, Methods: map[string]agent.Method{"restart": agent.RestartRun}}
	scribe := chattest.Class(leaf())
	scribe.New = func() durable.Object { return chattest.Class(leaf()).New() }
	b := openBankOf(t, chattest.Class(root), chattest.Class(editor), scribe)
	b.do(`say a R1 u1: delegate {"say":"begin {\"to\":\"A\",\"amount\":1}"}`)
	b.finish()
	version = "2"
	b.want("restart", b.call("restart", nil, "hosted"), "")
	b.finish()
	b.want("versions", versions, []string{"1", "2"})
	const rows = `SELECT id || ' ' || status || ' ' || version || ' ' || tells FROM run WHERE class = 'Scribe' ORDER BY id`
	for _, slot := range []string{"", "helper-1"} {
		b.want("the runs of "+slot, b.column(slot, rows), []string{`hosted completed 1 {"narrate":["half"]}`, `hosted.1 completed  {"narrate":["half"]}`})
	}
	const said = `SELECT CAST(COUNT(*) AS TEXT) FROM turn WHERE request LIKE 'narration-%'`
	b.want("what the root says", b.column("", said), []string{"0"})
	b.want("what the helper says", b.column("helper-1", said), []string{"2"})
}

// column returns what a statement reads from the object in a slot.
func (b *bank) column(slot, statement string) (values []string) {
	b.t.Helper()
	storage, err := b.engine.Storage(b.w.Object(slot))
	if err != nil {
		b.t.Fatal(err)
	}
	rows, err := storage.SQL(statement, nil)
	if err != nil {
		b.t.Fatal(err)
	}
	for _, row := range rows {
		values = append(values, row.Text(0))
	}
	return values
}
