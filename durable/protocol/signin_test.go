package protocol

import "testing"

func TestSignInPath(t *testing.T) {
	for path, want := range map[string]string{
		"/agents/assistant/x/mcp/authorize":        "assistant x",
		"/agents/assistant/a%20b%2F/mcp/authorize": "assistant a%20b%2F",
		"/agents/mcp/authorize/mcp/authorize":      "mcp authorize",

		"":                                    "",
		"/agents/assistant/x/mcp":             "",
		"/agents/assistant/x/mcp/callback":    "",
		"/agents/assistant/x/mcp/authorize/":  "",
		"/agents/assistant/x//mcp/authorize":  "",
		"/agents//x/mcp/authorize":            "",
		"/agents/assistant//mcp/authorize":    "",
		"//agents/assistant/mcp/authorize":    "", // the front door takes mcp for the name here
		"agents/assistant/x/mcp/authorize":    "",
		"x/agents/assistant/mcp/authorize":    "",
		"/Agents/assistant/x/mcp/authorize":   "",
		"/agents/assistant/x/mcp/Authorize":   "",
		"/agents/assistant/x/mcp/authoriz%65": "",
	} {
		agent, name, ok := SignInPath(path)
		if got := agent + " " + name; ok != (want != "") || ok && got != want {
			t.Errorf("%s: got %q, %v; want %q", path, got, ok, want)
		}
	}
}

func TestSignInState(t *testing.T) {
	for _, want := range []SignInState{
		{"link", "secret", "assistant", "a%20b", "signature"},
		{"link", "secret", "assistant", "x.y", ""},
	} {
		if got, ok := ParseSignInState(want.String()); !ok || got != want {
			t.Errorf("%s: got %+v, %v", want, got, ok)
		}
	}
	for _, text := range []string{
		"", ".", "...", "link", "link.secret", "link.secret.YS9i", "link.secret.YS9i.s.x", ".secret.YS9i.s", "link..YS9i.s",
		"link.secret.YQ.s", "link.secret.L2I.s", "link.secret.YS8.s", "link.secret.YS9iL2M.s", "link.secret.%.s",
	} {
		if got, ok := ParseSignInState(text); ok {
			t.Errorf("%q is read as %+v", text, got)
		}
	}
}
