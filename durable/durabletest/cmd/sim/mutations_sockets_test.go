package main

// socketMutations are faults in what bounds the costs of sockets. What the worlds' people do is far below each bound.
var socketMutations = []mutation{
	{
		name: "audience: a socket sends as many frames as it likes", file: "internal/audience/budget.go",
		old:  "\t\tif most := socketMost[x]; s.costs[x] > most {\n",
		new:  "\t\tif most := socketMost[x]; s.costs[x] > most && x != frames {\n",
		test: "internal/audience TestSocketIsClosedBeyondItsLimits/frames", unseen: "its hostile root floods in few worlds",
	},
	{
		name: "audience: a socket sends as many bytes as it likes", file: "internal/audience/budget.go",
		old:  "costs{frames: 1, up: bytes})\n\tcode",
		new:  "costs{frames: 1})\n\tcode",
		test: "internal/audience TestSocketIsClosedBeyondItsLimits/bytes", unseen: "its clients send little",
	},
	{
		name: "audience: the answers to a socket are not counted", file: "internal/audience/budget.go",
		old:  "\t\t\t\tm.spender.answer(len(command.Text))\n",
		new:  "",
		test: "internal/audience TestSocketIsClosedBeyondItsLimits/bytes_sent", unseen: "its clients are answered with little",
	},
	{
		name: "audience: a person sends as many requests as it likes", file: "internal/audience/budget.go",
		old:  "costs{requests: 1, up: bytes})",
		new:  "costs{up: bytes})",
		test: "internal/audience TestRequestsAreRefusedBeyondTheirLimits/requests", unseen: "its people send few requests",
	},
	{
		name: "audience: the answers to requests are not counted", file: "internal/audience/budget.go",
		old:  "\t\t\tm.all[down] += len(command.Body)\n\t\t\tif m.request != \"\" && command.Request == m.request {",
		new:  "\t\t\tif m.request == command.Request+\"x\" {",
		test: "internal/audience TestRequestsAreRefusedBeyondTheirLimits/answers", unseen: "its people send few requests",
	},
	{
		name: "chat: every request over HTTP is answered", file: "chat/route.go",
		old:  "len(e.URL)+len(e.Body)); why != \"\" {",
		new:  "len(e.URL)+len(e.Body)); why == \"x\" {",
		test: "chat TestRequestsOverHTTPHaveABudget/get-messages", unseen: "its people send few requests",
	},
	{
		name: "audience: the sockets of a conversation have no limit together", file: "internal/audience/budget.go",
		old:  "if m.all[x] > conversationMost[x] && o.costs[x] > m.share(x) {",
		new:  "if m.all[x] < 0 {",
		test: "internal/audience TestConversationClosesWhoHasMoreThanAShare", unseen: "its worlds have few tabs",
	},
	{
		name: "audience: whoever sends when the conversation costs too much is closed", file: "internal/audience/budget.go",
		old:  "&& o.costs[x] > m.share(x) {",
		new:  "{",
		test: "internal/audience TestConversationClosesWhoHasMoreThanAShare", unseen: "its worlds have few tabs",
	},
	{
		name: "audience: the second never ends", file: "internal/audience/budget.go",
		old:  "if tx.Now < m.since || tx.Now >= m.since+second {",
		new:  "if m.since == 0 {",
		test: "internal/audience TestSocketIsClosedBeyondItsLimits/frames_at", unseen: "its tabs send few frames in a life of the object",
	},
	{
		name: "audience: sockets open as often as they like", file: "internal/audience/budget.go",
		old:  "c.meter.exceeds(s.owner, down, openings); x < 0",
		new:  "c.meter.exceeds(s.owner, down, openings); x < 1_000",
		test: "chat TestConnectionsAreRefusedThatCostTooMuch", unseen: "its worlds have few tabs",
	},
	{
		name: "audience: an event sends everything to everybody", file: "internal/audience/budget.go",
		old:  "if size*len(to) <= room {",
		new:  "if size*len(to) >= 0 {",
		test: "chat TestManySocketsAreSentLittleAtOnce/states", unseen: "its tabs are shown little",
	},
	{
		name: "audience: an event sends frames that were not fitted", file: "internal/audience/budget.go",
		old:  "if m.event == 0 || m.event <= room {",
		new:  "if m.event >= 0 {",
		test: "internal/audience TestEventSendsNoMoreThanASecondMay", unseen: "no frame of its worlds is that large",
	},
	{
		name: "audience: states are shown as fast as they come", file: "internal/audience/show.go",
		old:  "return what&paced == 0 || c.paces[id].next(what) <= tx.Now",
		new:  "return true",
		test: "chat TestStatesCoalesce", unseen: "states that are shown more often do no harm there",
	},
	{
		name: "audience: what is owed is lost with the memory", file: "internal/audience/run_replay.go",
		old:  "\t\t\tc.loadOwed(tx)\n",
		new:  "",
		test: "chat TestStateThatIsOwedSurvivesALoss", unseen: "little is owed in its worlds, and for a moment only",
	},
	{
		name: "audience: what is owed is never sent", file: "internal/audience/show.go",
		old:  "\t\t\t\tbatches[b] = append(batches[b], id)\n",
		new:  "",
		test: "chat TestStatesCoalesce", unseen: "little is owed in its worlds, and for a moment only",
	},
	{
		name: "audience: chunks are sent to sockets for which there is no room", file: "internal/audience/show.go",
		old:  "\t\t} else {\n\t\t\tc.Offer(tx, id, request)\n",
		new:  "\t\t} else {\n\t\t\tnow = append(now, id)\n",
		test: "chat TestManySocketsAreSentLittleAtOnce/an_answer", unseen: "its answers are short",
	},
	{
		name: "audience: each refusal sends the transcript", file: "internal/audience/show.go",
		old:  "if next := p[refused]; next > tx.Now {",
		new:  "if next := p[refused]; next < 0 {",
		test: "chat TestRefusalsSendTheTranscriptOnceInAWhile", unseen: "its tabs are refused seldom",
	},
	{
		name: "audience: each bad frame is logged", file: "internal/audience/lines.go",
		old:  "if muted || own.messages[line.Message] || own.written >= limit.SocketLines-1 ||",
		new:  "if muted || own.written >= 1_000 ||",
		test: "internal/audience TestLinesOfASocketAreBounded", unseen: "no rule is about lines of the log",
	},
	{
		name: "audience: a socket writes again after a loss of memory", file: "internal/audience/lines.go",
		old:  "muted := c.earlier[conn] && line.Level != durable.Error",
		new:  "muted := false",
		test: "internal/audience TestLinesOfASocketAreBounded", unseen: "no rule is about lines of the log",
	},
	{
		name: "chat: a clear of nothing is done", file: "chat/stop.go",
		old:  "\tif o.isClear(tx) {\n\t\treturn\n\t}\n",
		new:  "",
		test: "chat TestClearOfNothingDoesNothing", unseen: "it does no harm there",
	},
}
