package openai

import (
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest/modeltest"
	"github.com/tributary-agents/tributary/durable/model"
)

// TestMaxTokensField checks under which name a server is told the limit on an answer's length.
func TestMaxTokensField(t *testing.T) {
	for name, c := range map[string]struct{ base, field, tokens, want string }{
		"OpenAI":              {"https://api.openai.com/v1", "", "100", `"max_completion_tokens":100`},
		"OpenAI, by default":  {"", "", "100", `"max_completion_tokens":100`},
		"OpenAI in a region":  {"https://eu.api.openai.com/v1", "", "100", `"max_completion_tokens":100`},
		"Azure":               {"https://x.openai.azure.com/openai/v1", "", "100", `"max_completion_tokens":100`},
		"Mistral":             {"https://api.mistral.ai/v1", "", "100", `"max_tokens":100`},
		"a server at home":    {"http://127.0.0.1:11434/v1", "", "100", `"max_tokens":100`},
		"a host that ends so": {"https://notopenai.com/v1", "", "100", `"max_tokens":100`},
		"the newer name":      {"https://api.mistral.ai/v1", "max_completion_tokens", "100", `"max_completion_tokens":100`},
		"the older name":      {"", " max_tokens ", "100", `"max_tokens":100`},
		"no limit":            {"https://api.mistral.ai/v1", "max_tokens", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			vars := map[string]string{model.VarName: "m", model.VarBaseURL: c.base, model.VarMaxTokensField: c.field, model.VarMaxTokens: c.tokens}
			m, err := Provider.Open(model.Settings{Vars: vars, Secrets: []string{model.VarKey}})
			if err != nil {
				t.Fatal(err)
			}
			w := &modeltest.World{}
			w.Begin(t, m, modeltest.Asked("hi"))
			body := string(w.Commands[0].(durable.Fetch).Body)
			if !strings.Contains(body, c.want) || strings.Count(body, "_tokens") > min(len(c.want), 1) {
				t.Errorf("got %s, want %s", body, c.want)
			}
		})
	}
	_, err := Provider.Open(model.Settings{Vars: map[string]string{model.VarName: "m", model.VarBaseURL: "http://x", model.VarMaxTokensField: "limit"}})
	if err == nil || !strings.Contains(err.Error(), `MODEL_MAX_TOKENS_FIELD is "limit"; set it to "max_tokens" or "max_completion_tokens"`) {
		t.Errorf("got %v", err)
	}
}
