package main

// reportMutations are faults in what hosts take of what a box reports.
var reportMutations = []mutation{
	{
		name: "script: a report of any length is read", file: "script/report.go",
		old:  "bad: len(text) > MostReport || !utf8.ValidString(text)",
		new:  "bad: !utf8.ValidString(text)",
		test: "script TestReports", unseen: unseenReports,
	},
	{
		name: "script: a report may be no UTF-8", file: "script/report.go",
		old:  "bad: len(text) > MostReport || !utf8.ValidString(text)",
		new:  "bad: len(text) > MostReport",
		test: "script TestReports", unseen: unseenReports,
	},
	{
		name: "script: a box may report as many lines as it likes", file: "script/report.go",
		old:  "p.require(b.lines <= mostLines)",
		new:  "p.require(len(r.Lines) <= mostLines)",
		test: "script TestReports", unseen: unseenReports,
	},
	{
		name: "script: a box may report as many calls as it likes", file: "script/report.go",
		old:  "\tp.require(b.calls <= mostCalls)\n",
		new:  "",
		test: "script TestReports", unseen: unseenReports,
	},
	{
		name: "script: the calls of a report have any numbers", file: "script/report.go",
		old:  "\tp.require(c.Number == int64(b.calls))\n",
		new:  "",
		test: "script TestReports", unseen: unseenReports,
	},
	{
		name: "script: a report may have more behind it", file: "script/report.go",
		old:  "p.require(p.rest == \"\" && consistent(r))",
		new:  "p.require(consistent(r))",
		test: "script TestReports", unseen: unseenReports,
	},
	{
		name: "script: a report says what only its host knows", file: "script/report.go",
		old:  "p.require(p.rest == \"\" && consistent(r))",
		new:  "p.require(p.rest == \"\")",
		test: "script TestReports", unseen: unseenReports,
	},
	{
		name: "script: a text of a report may be longer than it may", file: "script/report.go",
		old:  "|| units(text) > most {",
		new:  "{",
		test: "script TestReports", unseen: unseenReports,
	},
	{
		name: "script: the length of a text is that of its characters", file: "script/report.go",
		old:  "if r > 0xffff {",
		new:  "if r > 0x10ffff {",
		test: "script TestReports", unseen: unseenReports,
	},
	{
		name: "script: a number may begin with a zero", file: "script/report.go",
		old:  " && (n == 1 || digits[0] != '0'))",
		new:  ")",
		test: "script TestReports", unseen: unseenReports,
	},
	{
		name: "script: a value of any length is taken", file: "script/report.go",
		old:  "return len(text) <= MostValue && utf8.ValidString(text)",
		new:  "return utf8.ValidString(text)",
		test: "script TestReadValue", unseen: unseenReports,
	},
	{
		name: "script: a value may be no UTF-8", file: "script/report.go",
		old:  "return len(text) <= MostValue && utf8.ValidString(text)",
		new:  "return len(text) <= MostValue",
		test: "script TestReadValue", unseen: unseenReports,
	},
	{
		name: "code: a value that is no JSON is the result", file: "internal/coderun/output.go",
		old:  "json.Valid(value)",
		new:  "len(value) > 0",
		test: "chat TestCodeValueIsNoJSON", unseen: unseenReports,
	},
	{
		name: "model: the provider's address takes the place of one with a password", file: "model/settings.go",
		old:  "case slices.Contains(s.Secrets, VarBaseURL):",
		new:  "case slices.Contains(s.Secrets, VarBaseURL) && base != \"\":",
		test: "model TestAddressWithPassword", unseen: "its models have no address",
	},
}

const unseenReports = "the code in its worlds does not come to the prelude's own functions"
