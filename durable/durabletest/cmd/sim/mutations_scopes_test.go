package main

// onePerson is why the simulator does not find them.
const onePerson = "the people of its worlds all have the same claims"

// scopeMutations are faults in for whom work acts.
var scopeMutations = []mutation{
	{
		name: "claims: what is begun again has the scopes of what it repeats", file: "internal/claims/claims.go",
		old:  "return !o.Has(scope) })\n	return c.Text()",
		new:  "return !o.Has(scope) })\n	return others",
		test: "chat TestWorkThatIsBegunAgain", unseen: onePerson,
	},
	{
		name: "claims: what is begun again has all scopes of its caller", file: "internal/claims/claims.go",
		old:  "func(scope string) bool { return !o.Has(scope) })",
		new:  "func(scope string) bool { return scope == \"\" })",
		test: "chat TestRestartHasNoMoreThanBoth", unseen: onePerson,
	},
	{
		name: "claims: claims of one subject are equal whatever their scopes", file: "internal/claims/claims.go",
		old:  "return c.isSame(other) && c.Covers(other) && other.Covers(c)",
		new:  "return c.isSame(other)",
		test: "internal/claims TestEqual", unseen: onePerson,
	},
	{
		name: "claims: claims of unknown senders are equal", file: "internal/claims/claims.go",
		old:  "return c.Sender != \"\" && c.Sender == other.Sender",
		new:  "return c.Sender == other.Sender",
		test: "chat TestMessageOfATokenWithoutASubject", unseen: onePerson,
	},
	{
		name: "restart: a run that is restarted works for who began it", file: "run/restart.go",
		old:  "Claims: claims.Meet(by, r.Claims)",
		new:  "Claims: r.Claims",
		test: "chat TestWorkThatIsBegunAgain", unseen: onePerson,
	},
	{
		name: "delivery: a letter that is retried works for who began the run", file: "internal/supervisor/delivery.go",
		old:  "d.Attempts, d.Claims = 0, claims.Meet(by, r.Claims)",
		new:  "d.Attempts = 0",
		test: "chat TestWorkThatIsBegunAgain", unseen: onePerson,
	},
	{
		name: "delivery: a helper is not told for whom a letter is retried", file: "internal/supervisor/host.go",
		old:  "n.Owed, n.Whole, n.Claims = true, facet.HostedRunOf(r), d.Claims",
		new:  "n.Owed, n.Whole = true, facet.HostedRunOf(r)",
		test: "chat TestLetterOfAHelper", unseen: onePerson,
	},
	{
		name: "schedule: a schedule that is retried works for who made it", file: "schedule/call.go",
		old:  "e.State, e.Due, e.Attempts, e.Claims = attempt.Waiting, tx.Now, 0, claims.Meet(by, e.Claims)",
		new:  "e.State, e.Due, e.Attempts = attempt.Waiting, tx.Now, 0",
		test: "chat TestWorkThatIsBegunAgain", unseen: onePerson,
	},
	{
		name: "pause: anybody resumes a run", file: "internal/supervisor/pause.go",
		old:  "case !claims.Read(by).Covers(claims.Read(r.Claims)):",
		new:  "case !claims.Read(by).Covers(claims.Read(by)):",
		test: "chat TestWorkThatIsBegunAgain", unseen: onePerson,
	},
	{
		name: "admission: turns of others are merged and overtaken", file: "internal/admission/overtake.go",
		old:  "if !claims.Equal(before[i].Claims, t.Claims) {",
		new:  "if !claims.Equal(before[i].Claims, before[i].Claims) {",
		test: "chat TestWordsOfOthers", unseen: onePerson,
	},
	{
		name: "admission: turns are merged into the message of somebody else", file: "internal/admission/merge.go",
		old:  "if !message.AreOf(tx, append(slices.Clone(ids), last), into.Claims) {",
		new:  "if !message.AreOf(tx, ids, into.Claims) {",
		test: "chat TestWordsOfOthers", unseen: onePerson,
	},
	{
		name: "drill: a frame in a helper has the scopes of its token", file: "internal/drill/parent.go",
		old:  "		e.Claims = granted()\n",
		new:  "",
		test: "chat TestGrantInTheViewOfAHelper", unseen: onePerson,
	},
	{
		name: "admission: a message is changed by others", file: "internal/admission/list.go",
		old:  "case claims.Equal(owner, by):\n			last.changed",
		new:  "case true:\n			last.changed",
		test: "chat TestWordsOfOthers", unseen: onePerson,
	},
	{
		name: "admission: who asks for another answer to others' words has all scopes", file: "internal/admission/list.go",
		old:  "last.changed, l.claims = false, claims.Meet(by, owner)",
		new:  "last.changed = false",
		test: "chat TestWordsOfOthers", unseen: onePerson,
	},
	{
		name: "admission: an edit takes effect when it is accepted", file: "internal/admission/list.go",
		old:  "case q.stored && busy:",
		new:  "case q.stored && busy && false:",
		test: "chat TestEditWaitsForItsTurn", unseen: "its model does not look at what an edit has changed",
	},
	{
		name: "admission: others have an answer go on", file: "internal/admission/list.go",
		old:  "if !claims.Equal(owner, by) {\n		return fmt.Errorf(\"the answer",
		new:  "if !claims.Equal(owner, owner) {\n		return fmt.Errorf(\"the answer",
		test: "chat TestWordsOfOthers", unseen: onePerson,
	},
	{
		name: "chat: an edit is answered for others who have not seen it", file: "chat/request.go",
		old:  "if !claims.Equal(other, t.Claims) {",
		new:  "if !claims.Equal(other, t.Claims) && m.ID == \"\" {",
		test: "chat TestEditGivesWayToOthersQuestion", unseen: onePerson,
	},
	{
		name: "message: a push changes messages of others", file: "internal/message/owner.go",
		old:  "if !others[list[i].ID] {",
		new:  "if !others[list[i].ID] || list[i].ID != \"\" {",
		test: "chat TestMessageOfATokenWithoutASubject", unseen: onePerson,
	},
	{
		name: "message: a push deletes messages of others", file: "internal/message/cut.go",
		old:  "gone = slices.DeleteFunc(gone, func(m protocol.Listed) bool { return others[m.ID] })",
		new:  "gone = slices.DeleteFunc(gone, func(m protocol.Listed) bool { return others[m.ID] && m.ID == \"\" })",
		test: "chat TestMessageOfATokenWithoutASubject", unseen: onePerson,
	},
	{
		name: "chat: the task of a helper belongs to nobody", file: "chat/task_serve.go",
		old:  "message.Put(c.tx, place-1, protocol.UserMessage(id, r.Prompt), by)",
		new:  "message.Put(c.tx, place-1, protocol.UserMessage(id, r.Prompt), r.Claims[:0])",
		test: "chat TestOwnTaskOfAHelper", unseen: onePerson,
	},
	{
		name: "prompt: a turn that goes on is told everything", file: "internal/prompt/prompt.go",
		old:  "limited := before > 0",
		new:  "limited := before < 0",
		test: "chat TestContinuedTurnIsToldWhatWasSaidBefore", unseen: "its model answers whatever is said last",
	},
	{
		name: "turn: a turn that goes on is not told the answer before", file: "turn/history.go",
		old:  "return historyOf(before, append(answers, t.Place))",
		new:  "return historyOf(before, answers)",
		test: "turn TestToldNext", unseen: "few of its worlds go on with a call twice",
	},
	{
		name: "turn: two turns that go on with one message are told the same", file: "turn/history.go",
		old:  "if place := row.Int(0); !slices.Contains(answers, place) {",
		new:  "if place := row.Int(0); place < 0 {",
		seed: 16,
	},
	{
		name: "chat: browser tools are told to everybody", file: "chat/tool.go",
		old:  "if o.Person == person {",
		new:  "if o.Person != \"\" {",
		test: "chat TestBrowserTools", unseen: onePerson,
	},
	{
		name: "chat: others return the result of a browser's tool", file: "chat/answer.go",
		old:  "waits && !claims.Equal(o.claimsOfCall(tx, f.CallID)",
		new:  "waits && f.CallID == \"\" && !claims.Equal(o.claimsOfCall(tx, f.CallID)",
		test: "chat TestBrowserTools", unseen: onePerson,
	},
	{
		name: "chat: the model is told the words of whoever denies", file: "chat/approvals.go",
		old:  "if len(scopes) == 0 && !claims.Equal(asks, answers) {",
		new:  "if len(scopes) < 0 && !claims.Equal(asks, answers) {",
		test: "chat TestWordsOfADenial", unseen: onePerson,
	},
	{
		name: "endpoint: who answers over MCP needs no scope", file: "internal/mcpserver/question.go",
		old:  "if missing := p.config.Missing(by, q.Scopes); len(missing) > 0 {",
		new:  "if missing := p.config.Missing(by, q.Scopes); len(missing) > 99 {",
		test: "chat TestAnswerOverMCPNeedsTheApproversScopes", unseen: onePerson,
	},
	{
		name: "chat: whoever may speak signals a run over HTTP", file: "chat/signal.go",
		old:  "len(by.Missing(o.agent.SignalScopes)) > 0 {",
		new:  "len(by.Missing(o.agent.SignalScopes)) > 99 {",
		test: "chat TestSignalOfOthers", unseen: onePerson,
	},
	{
		name: "agent: a method that names scopes is called without", file: "agent/claims.go",
		old:  "len(missing) > 0 {",
		new:  "len(missing) > 99 {",
		test: "chat TestRequire", unseen: onePerson,
	},
	{
		name: "chat: the hooks of a turn work for who answers its call", file: "chat/hook.go",
		old:  "	t := o.loop.Turn()\n	if hook := o.agent.Hooks.BeforeStep; hook != nil {\n		defer o.actForTurn()()",
		new:  "	t := o.loop.Turn()\n	if hook := o.agent.Hooks.BeforeStep; hook != nil {",
		test: "chat TestContinuedTurnIsToldWhatWasSaidBefore", unseen: onePerson,
	},
	{
		name: "endpoint: who asks is offered what the active turn may call", file: "internal/mcpserver/respond.go",
		old:  "	defer p.config.Object.ActFor(claims)()",
		new:  "	_ = claims",
		test: "chat TestOfferedToWhoAsks", unseen: onePerson,
	},
}
