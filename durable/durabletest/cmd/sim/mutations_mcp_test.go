package main

// mcpMutations are faults in the use of servers of the Model Context Protocol, and in being one.
var mcpMutations = []mutation{
	{
		name: "mcp: every call is made again", file: "agent/mcp_call.go",
		old:  "t.Repeatable = tool.ReadOnly ||",
		new:  "t.Repeatable = true || tool.ReadOnly ||",
		test: "chat TestCallIsMadeOnce", unseen: "a loss seldom meets a call that has happened and is not answered",
	},
	{
		name: "mcp: the state of a question is not sent back", file: "agent/mcp_call.go",
		old:  "mcp.Resume{Responses: responses, State: r.State}",
		new:  "mcp.Resume{Responses: responses}",
		seed: 32,
	},
	{
		name: "mcp: a request that was refused for its version is not made again", file: "agent/mcp_call.go",
		old:  "\tcase err != nil && mcp.SessionEnded(t.Version, response.Status, nil):\n",
		new:  "\tcase err != nil && mcp.SessionEnded(t.Version, response.Status+1, nil):\n",
		test: "chat TestLegacyServer", unseen: "a call may fail",
	},
	{
		name: "mcp: a task that is over is cancelled", file: "agent/mcp_task.go",
		old:  "\tover = err == nil\n",
		new:  "\tover = err != nil\n",
		test: "chat TestTaskIsPolled", unseen: "a server that is asked for too much does no harm",
	},
	{
		name: "mcp: a question of a task is asked again", file: "agent/mcp_task.go",
		old:  "\t\t*answered = append(*answered, r.Key)\n",
		new:  "\t\t_ = r.Key\n",
		test: "chat TestQuestionOfTaskIsAskedOnce", unseen: "its tasks ask no more when they were answered",
	},
	{
		name: "remote: the token is told with a failure", file: "internal/remote/connect.go",
		old:  "s.State, s.Failure, s.tries, s.StaleAt = Failed, why, 0,",
		new:  "s.State, s.Failure, s.tries, s.StaleAt = Failed, why+r.headers(tx, s)[0].Value, 0,",
		seed: 32,
	},
	{
		name: "remote: code is not told that a server is ready", file: "internal/remote/connect.go",
		old:  "\tr.settle(tx, s, failure)\n",
		new:  "",
		seed: 32,
	},
	{
		name: "remote: an exchange has no end", file: "internal/remote/connect.go",
		old:  "\ttx.Schedule(Due, s.ID, tx.Now+exchangeTime)\n",
		new:  "",
		test: "chat TestTurnGoesWithoutServer", unseen: "the requests of a world that rests are answered or fail",
	},
	{
		name: "remote: a server that does not work now is not asked again", file: "internal/remote/connect.go",
		old:  "\tcase comesBack(status):\n",
		new:  "\tcase comesBack(status) && status == 0:\n",
		test: "chat TestServerIsAskedAgain", unseen: "a server may fail",
	},
	{
		name: "remote: a pause between two tries is lost with the memory", file: "internal/remote/connect.go",
		old:  "x.rests = s.rests(tx.Now) && tx.Scheduled(Due, s.ID); x.rests {",
		new:  "x.rests = false; x.rests {",
		test: "chat TestRestSurvivesLoss", unseen: "a server may be asked early",
	},
	{
		name: "remote: a turn does not wait for the first offer", file: "internal/remote/connect.go",
		old:  "if wait = r.holdsTurn(tx); wait {",
		new:  "if wait = false; wait {",
		test: "chat TestServersAreAskedByNeed", unseen: "its model calls what it is told of",
	},
	{
		name: "remote: a tool that has changed is trusted", file: "internal/remote/offer.go",
		old:  "t.Changed = known && before != t.Digest",
		new:  "t.Changed = known && before == \"\"",
		test: "chat TestApproveWrites", unseen: "its people approve what they are asked",
	},
	{
		name: "inspection: the rows of servers are shown", file: "internal/inspection/inspection.go",
		old:  "if !strings.HasPrefix(name, hidden) && ",
		new:  "if ",
		test: "chat TestInspectedServers", unseen: "nobody inspects there",
	},
	{
		name: "inspection: blobs are shown", file: "internal/inspection/inspection.go",
		old:  "WHEN 'blob' THEN LENGTH(`+name+`)",
		new:  "WHEN 'blob' THEN CAST(`+name+` AS TEXT)",
		test: "chat TestInspectedServers", unseen: "nobody inspects there",
	},
	{
		name: "endpoint: a state is good for any call", file: "internal/endpoint/ask.go",
		old:  "s.Expires <= tx.Now || s.Digest != r.digest ||",
		new:  "s.Expires <= tx.Now ||",
		seed: 32,
	},
	{
		name: "endpoint: the states of all rounds are good", file: "internal/endpoint/ask.go",
		old:  "k.kind != ofRequest || k.round != s.Round ||",
		new:  "k.kind != ofRequest ||",
		test: "chat TestRoundsAreGoodOnce", unseen: "its calls ask once",
	},
	{
		name: "endpoint: a state that was changed is opened", file: "internal/seal/seal.go",
		old:  "\tif differ != 0 {\n",
		new:  "\tif differ != 0 && len(text) == 0 {\n",
		test: "internal/seal TestOpenRefuses", unseen: "what is opened with a changed letter is seldom JSON",
	},
	{
		name: "endpoint: a task is shown to anybody", file: "internal/endpoint/task.go",
		old:  "if k.kind != ofTask || p.config.Subject(k.claims) != p.config.Subject(f.claims) {",
		new:  "if k.kind != ofTask {",
		test: "chat TestTasksAreTheirClients", unseen: "its programs have no claims",
	},
	{
		name: "endpoint: a task that is cancelled goes on", file: "internal/endpoint/task.go",
		old:  "\tk.to(cancelled)\n",
		new:  "",
		test: "chat TestTasksAreCancelled", unseen: "a task may end before it is cancelled",
	},
	{
		name: "endpoint: a call outlives its client", file: "internal/endpoint/stream.go",
		old:  "\t\t\tp.drop(tx, k, \"its client has left\")\n",
		new:  "",
		test: "chat TestClientThatLeaves", unseen: "what nobody waits for may happen",
	},
	{
		name: "endpoint: the end of a task is not stored", file: "internal/endpoint/answer.go",
		old:  "\tk.message = \"\"\n\tk.store(tx)\n\tp.taskChanged(tx, k.row)\n",
		new:  "\tk.message = \"\"\n",
		seed: 32,
	},
	{
		name: "mcp: the answer to another request is taken", file: "mcp/reader.go",
		old:  "m.ID != r.id && (m.ID.Exists() || m.Error == nil):",
		new:  "m.ID != r.id && m.ID.Exists() && m.Error != nil:",
		test: "mcp TestReaderRefuses", unseen: "each of its answers fits its request but for the id",
	},
	{
		name: "mcp: a second answer is taken", file: "mcp/reader.go",
		old:  "\tcase m.IsResponse() && r.answered:\n\t\treturn ErrTwice\n",
		new:  "",
		test: "mcp TestReaderRefuses", unseen: "both answers are the same",
	},
}
