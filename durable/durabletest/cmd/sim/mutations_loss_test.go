package main

// lossMutations are faults in what is known of losses inside events.
var lossMutations = []mutation{
	{
		name: "loss: an announcement does not end with its event", file: "chat/watch.go",
		old:  "\t\tloss.Over(tx)\n",
		new:  "",
		test: "chat TestKillsBetweenEventsNeverCount", unseen: "few of its worlds lose the process so often in one turn",
	},
	{
		name: "loss: a process that was killed inside an event is lost quietly", file: "internal/loss/loss.go",
		old:  "return durable.LostInEvent",
		new:  "return durable.LostQuietly",
		test: "chat TestWorkThatEndsItsProcessIsGivenUp", unseen: "no code of its agents kills the process each time",
	},
	{
		name: "loss: another object's trap counts", file: "internal/loss/loss.go",
		old:  "case durable.LostBetween:\n\t\treturn durable.LostQuietly",
		new:  "case durable.LostBetween:\n\t\treturn durable.LostInEvent",
		test: "internal/loss TestOf", unseen: "its hosts wait for no disk",
	},
	{
		name: "loss: work is never given up", file: "internal/loss/loss.go",
		old:  "lost.Times >= Most",
		new:  "lost.Times < 0",
		test: "chat TestWorkThatEndsItsProcessIsGivenUp", unseen: "no code of its agents kills the process each time",
	},
	{
		name: "loss: work that has got on is counted with what was before", file: "internal/loss/loss.go",
		old:  "last.Place == place && ",
		new:  "",
		test: "internal/loss TestAgain", unseen: "few of its worlds lose three events of one turn",
	},
	{
		name: "loss: a run that has got on is given up", file: "chat/watch.go",
		old:  `return fmt.Sprintf("run %s/%d", r.ID, r.Next)`,
		new:  `return fmt.Sprintf("run %s/%d", r.ID, 0)`,
		test: "chat TestRunThatGetsOnIsNotGivenUp", unseen: "few of its worlds lose three events of one run",
	},
	{
		name: "loss: an object goes on with its work as it is opened", file: "chat/object.go",
		old:  "o.watch.on && !o.quarantined {",
		new:  "o.watch.on && o.quarantined {",
		test: "chat TestReplayThatEndsItsProcessIsGivenUp", unseen: "no code of its agents kills the process each time",
	},
	{
		name: "loss: the watch ends when something has got on", file: "chat/watch.go",
		old:  "return !slices.ContainsFunc(awaits, func(k flow.Key) bool { return slices.Contains(open, k) })",
		new:  "return slices.ContainsFunc(awaits, func(k flow.Key) bool { return !slices.Contains(open, k) })",
		test: "chat TestWorkBesideWhatGetsOnIsGivenUp", unseen: "no code of its agents kills the process each time",
	},
	{
		name: "loss: a stretch is charged for a kill before its event", file: "chat/watch.go",
		old:  "\t\tflow.SpareSlice(tx)\n",
		new:  "",
		test: "chat TestKillsBetweenStretchesNeverCount", unseen: "few of its worlds lose the memory so often before one stretch",
	},
	{
		name: "loss: a turn that stops the process as it begins is begun without end", file: "internal/admission/queue.go",
		old:  "t.Spent.Retries >= loss.Most",
		new:  "t.Spent.Retries >= 100*loss.Most",
		test: "chat TestTurnThatEndsItsProcessAsItBeginsIsGivenUp", unseen: "no code of its agents kills the process each time",
	},
}
