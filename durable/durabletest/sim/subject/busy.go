package subject

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/agents"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/contract"
	"github.com/tributary-agents/tributary/durable/schedule"
	"github.com/tributary-agents/tributary/durable/turn"
)

// busy returns the shipped Assistant with a callback and a handler that fail, and with a tool whose
// runs soon exceed their time limits. It counts calls in its state, which is committed or rolled
// back together with the event.
func busy(during turn.Policy, scout agent.Agent) agent.Agent {
	a := agents.Assistant
	a.DuringTurn = during
	a.Methods = maps.Clone(a.Methods)
	a.Methods["schedule"] = order
	a.Methods["cancelSchedule"] = agent.CancelSchedule
	a.Methods["signal"] = agent.SendSignal
	a.Methods["undoCall"] = agent.UndoCall
	a.Methods["settleAction"] = agent.SettleAction
	a.Methods["pauseRun"] = agent.PauseRun
	a.Methods["resumeRun"] = agent.ResumeRun
	a.Methods["restartRun"] = agent.RestartRun
	a.Callbacks = map[string]agent.Callback{"ring": agent.NewCallback(ring)}
	a.Handlers = map[string]agent.RunHook{"notify": take}
	a.Hooks.BeforeStep = touchy
	a.Tools = append(slices.Concat(ownTools(a.Tools), workshop(), office(), coding()), agent.AgentTool[query](scout, "hurry",
		"Has a scout look something up in the background, and be quick.",
		agent.Detached("notify"), agent.Narrate("searched"), agent.React("read"), agent.Timeout(20*time.Second), agent.IdleTimeout(8*time.Second)))
	return a
}

// order is the method schedule.
func order(call *agent.Call) (any, error) {
	var o contract.ScheduleRequest
	if err := call.Arg(0, &o); err != nil {
		return nil, err
	}
	return call.Schedule(when(o), "ring", o, schedule.ID(o.ID))
}

func when(o contract.ScheduleRequest) schedule.When {
	d := time.Duration(o.MS) * time.Millisecond
	switch o.Kind {
	case contract.Every:
		return schedule.Every(d)
	case contract.Cron:
		return schedule.Cron(fmt.Sprintf("*/%d * * * *", int(d.Minutes())), "")
	}
	return schedule.After(d)
}

var errFails = errors.New("it fails on purpose")

// ring is the callback of schedules.
func ring(c *agent.Conversation, o contract.ScheduleRequest, s agent.Scheduled) error {
	err := act(c, o, s)
	noted := note(c, func(b *contract.Records) {
		b.Calls++
		b.Last = contract.Called{ID: s.ID, Planned: s.Planned, Attempt: s.Attempt, Failed: err != nil}
	})
	return errors.Join(err, noted)
}

func act(c *agent.Conversation, o contract.ScheduleRequest, s agent.Scheduled) error {
	switch o.Does {
	case contract.Fail:
		return errFails
	case contract.Quit:
		return errors.Join(c.CancelSchedule(s.ID), errFails)
	case contract.Break:
		panic(contract.OnPurpose)
	case contract.Ask:
		return c.Notify(fmt.Sprintf("It is time for %s, which was for %d.", s.ID, s.Planned))
	}
	return nil
}

// take is the handler for the ends of detached runs. file is that of an agent that takes no messages.
func take(c *agent.Conversation, r agent.RunInfo) error { return accept(c, r, agent.Notify) }

func file(c *agent.Conversation, r agent.RunInfo) error {
	return accept(c, r, func(*agent.Conversation, agent.RunInfo) error { return nil })
}

func accept(c *agent.Conversation, r agent.RunInfo, tell agent.RunHook) error {
	if strings.Contains(string(r.Input), contract.EndBreaks) {
		panic(contract.OnPurpose)
	}
	err := errFails
	noted := note(c, func(b *contract.Records) {
		t := b.Taken[r.ID]
		t.Tries++
		if !contract.Stubborn(r.ID, t.Tries) {
			err = tell(c, r)
		}
		if err == nil {
			t.Took++
			t.Status = string(r.Status)
		}
		b.Taken[r.ID] = t
	})
	return errors.Join(err, noted)
}

// note changes the records in the state.
func note(c *agent.Conversation, change func(*contract.Records)) error {
	b := contract.Records{Taken: map[string]contract.DeliveryRecord{}}
	if s := c.State(); s != nil {
		if err := json.Unmarshal(s, &b); err != nil {
			return fmt.Errorf("state: %w", err)
		}
	}
	change(&b)
	return c.SetState(b)
}
