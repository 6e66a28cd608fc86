package main

// serverMutations are faults in what a server, or a client, must not get from a deployment or from a person.
var serverMutations = []mutation{
	{
		name: "consent: a changed tool that was approved before is called", file: "internal/mcpclient/consent.go",
		old:  "\tif c.Digest == \"\" || c.Digest != t.Digest {\n",
		new:  "\tif c.Digest == \"\" {\n",
		test: "chat TestWhatWasApprovedRuns", unseen: "its rules do not know what people were shown",
	},
	{
		name: "consent: an approval without a digest counts", file: "internal/mcpclient/consent.go",
		old:  "return c.Digest == \"\" && !needed",
		new:  "return c.Digest == \"\" && (c.Approved || !needed)",
		test: "internal/mcpclient TestConsentHolds", unseen: "its rows are of this version",
	},
	{
		name: "consent: a repetition has no digest", file: "internal/mcpcall/call.go",
		old:  "\t\t\tk.consent.Digest = t.Digest\n",
		new:  "",
		test: "chat TestOneDigestForOneCall", unseen: "its rules do not know what people were shown",
	},
	{
		name: "consent: an approval is one for every server of the name", file: "internal/mcpcall/consent.go",
		old:  "if digest, ok := strings.CutPrefix(shown, server+\"/\"); ok {",
		new:  "if _, digest, ok := strings.Cut(shown, \"/\"); ok {",
		test: "chat TestApprovalIsForOneServer", unseen: "its servers stay",
	},
	{
		name: "consent: an author's call goes on with another tool", file: "internal/mcpcall/consent.go",
		old:  "\tcase unasked && c.Digest != \"\" && c.Digest != now:\n",
		new:  "\tcase unasked && c.Digest != \"\" && now == \"\":\n",
		test: "chat TestAuthorsCallTrustsNothing", unseen: "a call may fail",
	},
	{
		name: "consent: a call without an approval has its tool trusted", file: "internal/mcpcall/consent.go",
		old:  "\tcase unasked, s.options.Approve == nil:\n",
		new:  "\tcase unasked, s.options.Approve == nil:\n\t\ts.Trust(tx, r.ID, tool, now)\n",
		test: "chat TestAuthorsCallTrustsNothing", unseen: "its rules do not know what people were shown",
	},
	{
		name: "consent: a tool that is not offered any more is called", file: "internal/mcpcall/consent.go",
		old:  "\tcase !offered:\n",
		new:  "\tcase !offered && c.Digest == \"none\":\n",
		test: "chat TestToolThatIsGone", unseen: "its servers offer what they have offered",
	},
	{
		name: "consent: a request is repeated for another tool", file: "internal/mcpclient/consent.go",
		old:  "return digest == \"\" || s != nil && s.Digest(tool) == digest",
		new:  "return digest == \"\" || s != nil",
		test: "chat TestRequestIsNotRepeatedForAnotherTool", unseen: "its rules do not know what people were shown",
	},
	{
		name: "consent: a person is asked about a call that is under way", file: "internal/loop/tool.go",
		old:  " && !flow.HasBegun(tx, l.active.routineOf(call)):",
		new:  ":",
		test: "chat TestRequestIsNotRepeatedForAnotherTool", unseen: "people may be asked twice",
	},
	{
		name: "consent: whatever a tool is now is trusted", file: "internal/mcpclient/trusted.go",
		old:  " || !t.Changed || t.Digest != digest {",
		new:  " || !t.Changed {",
		test: "internal/mcpclient TestTrustNamesTheDigest", unseen: "its rules do not know what people were shown",
	},
	{
		name: "consent: what a person is not shown of an input is not told", file: "internal/mcpcall/consent.go",
		old:  "protocol.CutOff(mcp.Escaped(string(input)), maxInput)",
		new:  "mcp.Quote(string(input), maxInput)",
		test: "chat TestHiddenPartsAreTold", unseen: "its inputs are short",
	},
	{
		name: "consent: the model is sent more than a person was shown", file: "internal/mcpcall/ask.go",
		old:  "\t\tshown.Text = promptOf(a)\n",
		new:  "\t\tshown.Text = mcp.Quote(promptOf(a), maxMessage)\n",
		test: "chat TestSamplingIsShownWhole", unseen: "its servers do not ask the model",
	},
	{
		name: "remote: the rows of tools have no end", file: "internal/mcpclient/trusted.go",
		old:  "\tif rows <= maxTrusted {\n",
		new:  "\tif rows <= 100*maxTrusted {\n",
		test: "internal/mcpclient TestTrustedRowsAreBounded", unseen: "its servers have few tools",
	},
	{
		name: "remote: a tool that was forgotten is new", file: "internal/mcpclient/trusted.go",
		old:  "\t_, forgets := trusted[forgotten]\n",
		new:  "\tforgets := false\n",
		test: "internal/mcpclient TestTrustedRowsAreBounded", unseen: "its servers have few tools",
	},
	{
		name: "remote: a refresh reads all rows of a server", file: "internal/mcpclient/trusted.go",
		old:  "WHERE server = ? AND (tool = ? OR tool IN (SELECT value FROM json_each(?)))`",
		new:  "WHERE server = ? AND (tool >= ? OR tool IN (SELECT value FROM json_each(?)))`",
		test: "internal/mcpclient TestRefreshIsBounded", unseen: "its servers have few tools",
	},
	{
		name: "secret: rows say to whom a secret goes", file: "internal/mcpsignin/register.go",
		old:  "\tif c.SecretName != \"\" {\n",
		new:  "\tif c.SecretName == \"none\" {\n",
		test: "chat TestSecretOfEarlierRows", unseen: "its deployments have no client",
	},
	{
		name: "secret: it goes to whom the server names", file: "internal/mcpsignin/register.go",
		old:  "\tif given.SecretName != \"\" && given.Issuer == \"\" {\n",
		new:  "\tif given.SecretName == \"none\" {\n",
		test: "chat TestSecretOfDeploymentStays", unseen: "its deployments have no client",
	},
	{
		name: "secret: the named authorization server is not looked for", file: "internal/mcpsignin/discover.go",
		old:  "[]string{r.given(tx, s).Issuer, r.token(tx, s).Issuer} {",
		new:  "[]string{r.token(tx, s).Issuer} {",
		test: "chat TestSecretGoesToTheNamedIssuer", unseen: "its deployments have no client",
	},
	{
		name: "secret: names of servers are compared as they are written", file: "internal/mcpclient/deployed.go",
		old:  "\tx, y := variable(a), variable(b)\n",
		new:  "\tx, y := a, b\n",
		test: "internal/mcpclient TestClash", unseen: "its clients add no servers",
	},
	{
		name: "secret: a server that was added keeps the name of a declared one", file: "internal/mcpclient/row.go",
		old:  "\t\t\ts.Name = r.apart(s.Name)\n",
		new:  "",
		test: "chat TestNameThatIsDeclaredLater", unseen: "its clients add no servers",
	},
	{
		name: "headers: what an earlier version has stored is sent", file: "internal/mcpclient/secret.go",
		old:  "\t\t\tif !mcp.Settable(name) { // an earlier version has let it be set\n",
		new:  "\t\t\tif name == \"\" {\n",
		test: "chat TestHeadersOfEarlierRows", unseen: "its clients add no servers",
	},
	{
		name: "headers: an underscore is no hyphen", file: "mcp/settable.go",
		old:  "strings.ReplaceAll(strings.ToLower(name), \"_\", \"-\")",
		new:  "strings.ToLower(name)",
		test: "mcp TestSettable", unseen: "its clients add no servers",
	},
}
