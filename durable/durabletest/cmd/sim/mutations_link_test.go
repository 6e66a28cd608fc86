package main

// linkMutations are faults in who presses the link by which a person signs in to a server.
var linkMutations = []mutation{
	{
		name: "link: opening it presses it", file: "internal/mcpsignin/link.go",
		old:  "\t\tr.opened(tx, p, e.Method == \"POST\", query, who)\n",
		new:  "\t\tr.opened(tx, p, true, query, who)\n",
		test: "chat TestLinkExplains", unseen: "people press the button",
	},
	{
		name: "link: any method presses it", file: "chat/route.go",
		old:  "case r.methods != \"\" && !slices.Contains(",
		new:  "case r.methods == reads && !slices.Contains(",
		test: "chat TestLinkForScript", unseen: "people press the button",
	},
	{
		name: "link: another subject presses it", file: "internal/mcpsignin/link.go",
		old:  "\tcase in.For != \"\" && who != in.For && (who != \"\" || p.json):\n\t\tr.show(tx, p, 403, linkOther)\n",
		new:  "",
		test: "chat TestLinkBelongsToAsker", unseen: "the people of the worlds have no subjects",
	},
	{
		name: "link: a script without a token presses it", file: "internal/mcpsignin/link.go",
		old:  "who != in.For && (who != \"\" || p.json):",
		new:  "who != in.For && who != \"\":",
		test: "chat TestLinkBelongsToAsker", unseen: "the people of the worlds have no subjects",
	},
	{
		name: "link: everybody is told it", file: "internal/mcpsignin/link.go",
		old:  "in.Ticket == \"\" || in.For != \"\" && in.For != who {",
		new:  "in.Ticket == \"\" {",
		test: "chat TestLinkBelongsToAsker", unseen: "the people of the worlds have no subjects",
	},
	{
		name: "link: it stays good when another subject asks", file: "internal/mcpsignin/signin.go",
		old:  "\t\tif before.For == asker {\n\t\t\tin.Ticket = before.Ticket\n\t\t}\n",
		new:  "\t\tin.Ticket = before.Ticket\n",
		test: "chat TestLinkBelongsToAsker", unseen: "the people of the worlds have no subjects",
	},
	{
		name: "link: it belongs to whose turn is at work", file: "internal/mcpclient/asker.go",
		old:  "r.config.Asker != nil && (s.Declared || !r.unasked) {",
		new:  "r.config.Asker != nil {",
		test: "chat TestAskerIsNotWhoHappensToWork", unseen: "the people of the worlds have no subjects",
	},
	{
		name: "link: it has no signature", file: "internal/mcpsignin/link.go",
		old:  "\tr.signature = signature\n",
		new:  "\t_ = signature\n",
		test: "chat TestStateNamesObject", unseen: "the worlds have no front door",
	},
	{
		name: "link: its page shows texts as HTML", file: "internal/mcpsignin/page.go",
		old:  "escape(mcp.Quote(f.value, maxFact))",
		new:  "mcp.Quote(f.value, maxFact)",
		test: "chat TestLinkExplains", unseen: "people press the button",
	},
	{
		name: "link: a socket behind a loss is not told its link", file: "chat/servers.go",
		old:  "\tif _, at := o.askersAt(tx); at(conn) != \"\" {\n",
		new:  "\tif _, at := o.askersAt(tx); at(conn) == \"?\" {\n",
		test: "chat TestLinkBehindLoss", unseen: "the people of the worlds have no subjects",
	},
}
