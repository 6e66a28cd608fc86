package model_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/tributary-agents/tributary/durable/model"
	"github.com/tributary-agents/tributary/durable/model/anthropic"
	"github.com/tributary-agents/tributary/durable/model/demo"
	"github.com/tributary-agents/tributary/durable/model/openai"
)

var providers = model.Providers{demo.Provider, openai.Provider, anthropic.Provider, openai.WorkersAIProvider}

func TestOpen(t *testing.T) {
	key := []string{"AUTH_KEY", "MODEL_API_KEY"}
	for name, c := range map[string]struct {
		vars    map[string]string
		secrets []string
		want    model.Model
	}{
		"nothing":   {nil, nil, demo.Model{}},
		"demo":      {map[string]string{"MODEL_PROVIDER": " demo "}, key, demo.Model{}},
		"openai":    {map[string]string{"MODEL_PROVIDER": "openai", "MODEL_NAME": "m"}, key, openai.Model{URL: "https://api.openai.com/v1/chat/completions", Model: "m", Secret: "MODEL_API_KEY"}},
		"local":     {map[string]string{"MODEL_PROVIDER": "openai", "MODEL_NAME": "m", "MODEL_BASE_URL": "http://localhost:11434/v1/"}, nil, openai.Model{URL: "http://localhost:11434/v1/chat/completions", Model: "m"}},
		"whole url": {map[string]string{"MODEL_PROVIDER": "openai", "MODEL_NAME": "m", "MODEL_BASE_URL": "http://x/v1/chat/completions"}, nil, openai.Model{URL: "http://x/v1/chat/completions", Model: "m"}},
		"no path":   {map[string]string{"MODEL_PROVIDER": "openai", "MODEL_NAME": "m", "MODEL_BASE_URL": "http://x"}, nil, openai.Model{URL: "http://x/chat/completions", Model: "m"}},
		"query":     {map[string]string{"MODEL_PROVIDER": "openai", "MODEL_NAME": "m", "MODEL_BASE_URL": "http://x/d?api-version=1#y"}, nil, openai.Model{URL: "http://x/d/chat/completions?api-version=1", Model: "m"}},
		"tokens":    {map[string]string{"MODEL_PROVIDER": "openai", "MODEL_NAME": "m", "MODEL_MAX_TOKENS": "100", "MODEL_OUTPUT": "prompt"}, key, openai.Model{URL: "https://api.openai.com/v1/chat/completions", Model: "m", Secret: "MODEL_API_KEY", MaxTokens: 100, Prompted: true}},
		"anthropic": {map[string]string{"MODEL_PROVIDER": "anthropic", "MODEL_NAME": "m"}, key, anthropic.Model{URL: "https://api.anthropic.com/v1/messages", Model: "m", Secret: "MODEL_API_KEY", MaxTokens: 16384}},
		"thinking":  {map[string]string{"MODEL_PROVIDER": "anthropic", "MODEL_NAME": "m", "MODEL_BASE_URL": "http://x/v1/messages", "MODEL_THINKING": "2048", "MODEL_MAX_TOKENS": "4096"}, nil, anthropic.Model{URL: "http://x/v1/messages", Model: "m", MaxTokens: 4096, Thinking: anthropic.Thinking{Budget: 2048}}},
		"adaptive":  {map[string]string{"MODEL_PROVIDER": "anthropic", "MODEL_NAME": "m", "MODEL_THINKING": "adaptive"}, key, anthropic.Model{URL: "https://api.anthropic.com/v1/messages", Model: "m", Secret: "MODEL_API_KEY", MaxTokens: 16384, Thinking: anthropic.Thinking{Adaptive: true}}},
		"workers":   {map[string]string{"MODEL_PROVIDER": "workers-ai", "MODEL_NAME": "@cf/a/b"}, nil, openai.WorkersAI{Binding: "AI", Model: "@cf/a/b", MaxTokens: 4096}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := providers.Open(c.vars, c.secrets)
			if err != nil || got != c.want {
				t.Errorf("got %v, %v, want %v", got, err, c.want)
			}
		})
	}
}

func TestOpenRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		vars map[string]string
		want []string
	}{
		"unknown provider": {map[string]string{"MODEL_PROVIDER": "abacus"}, []string{"MODEL_PROVIDER", "abacus", `"openai"`}},
		"no name":          {map[string]string{"MODEL_PROVIDER": "openai"}, []string{"MODEL_NAME"}},
		"no key":           {map[string]string{"MODEL_PROVIDER": "openai", "MODEL_NAME": "m"}, []string{"MODEL_API_KEY", "wrangler secret put"}},
		"no scheme":        {map[string]string{"MODEL_PROVIDER": "openai", "MODEL_NAME": "m", "MODEL_BASE_URL": "localhost:1234"}, []string{"MODEL_BASE_URL"}},
		"no host":          {map[string]string{"MODEL_PROVIDER": "openai", "MODEL_NAME": "m", "MODEL_BASE_URL": "http:///v1"}, []string{"MODEL_BASE_URL"}},
		"no url":           {map[string]string{"MODEL_PROVIDER": "openai", "MODEL_NAME": "m", "MODEL_BASE_URL": "http://%zz"}, []string{"MODEL_BASE_URL"}},
		"password":         {map[string]string{"MODEL_PROVIDER": "openai", "MODEL_NAME": "m", "MODEL_BASE_URL": "http://u:hunter2@x"}, []string{"MODEL_BASE_URL", "MODEL_API_KEY"}},
		"no words":         {map[string]string{"MODEL_PROVIDER": "openai", "MODEL_NAME": "two words"}, []string{"MODEL_NAME", "two words"}},
		"anthropic's key":  {map[string]string{"MODEL_PROVIDER": "anthropic", "MODEL_NAME": "m"}, []string{"Anthropic", "MODEL_API_KEY"}},
		"anthropic's name": {map[string]string{"MODEL_PROVIDER": "anthropic"}, []string{"MODEL_NAME", "claude"}},
		"tokens":           {map[string]string{"MODEL_PROVIDER": "anthropic", "MODEL_NAME": "m", "MODEL_BASE_URL": "http://x", "MODEL_MAX_TOKENS": "many"}, []string{"MODEL_MAX_TOKENS", "many"}},
		"no tokens":        {map[string]string{"MODEL_PROVIDER": "workers-ai", "MODEL_NAME": "@cf/a/b", "MODEL_MAX_TOKENS": "0"}, []string{"MODEL_MAX_TOKENS"}},
		"thinking":         {map[string]string{"MODEL_PROVIDER": "anthropic", "MODEL_NAME": "m", "MODEL_BASE_URL": "http://x", "MODEL_THINKING": "hard"}, []string{"MODEL_THINKING", "hard"}},
		"all thinking":     {map[string]string{"MODEL_PROVIDER": "anthropic", "MODEL_NAME": "m", "MODEL_BASE_URL": "http://x", "MODEL_THINKING": "16384"}, []string{"MODEL_THINKING", "MODEL_MAX_TOKENS", "16384"}},
		"output":           {map[string]string{"MODEL_PROVIDER": "openai", "MODEL_NAME": "m", "MODEL_BASE_URL": "http://x", "MODEL_OUTPUT": "xml"}, []string{"MODEL_OUTPUT", "xml"}},
		"workers' name":    {map[string]string{"MODEL_PROVIDER": "workers-ai", "MODEL_NAME": "llama"}, []string{"MODEL_NAME", "llama", "@cf/"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := providers.Open(c.vars, nil)
			var e *model.Error
			if !errors.As(err, &e) || e.Kind != model.Misconfigured {
				t.Fatalf("got %v", err)
			}
			for _, want := range c.want {
				if !strings.Contains(e.Message, want) {
					t.Errorf("%q is missing in %q", want, e.Message)
				}
			}
			if strings.Contains(e.Message, "hunter2") {
				t.Errorf("%q tells a secret", e.Message)
			}
		})
	}
}

// TestTimeouts checks the limits of a model call: the agent's own, those of the deployment, and the defaults.
func TestTimeouts(t *testing.T) {
	usual := model.Timeouts{Call: 30 * time.Minute, Idle: time.Minute, FirstByte: 2 * time.Minute}
	for name, c := range map[string]struct {
		vars map[string]string
		own  model.Timeouts
		want model.Timeouts
	}{
		"nothing":      {nil, model.Timeouts{}, usual},
		"blank":        {map[string]string{"MODEL_TIMEOUT": " ", "MODEL_IDLE_TIMEOUT": ""}, model.Timeouts{}, usual},
		"variables":    {map[string]string{"MODEL_TIMEOUT": "3600", "MODEL_IDLE_TIMEOUT": " 90 ", "MODEL_FIRST_BYTE_TIMEOUT": "1"}, model.Timeouts{}, model.Timeouts{Call: time.Hour, Idle: 90 * time.Second, FirstByte: time.Second}},
		"the agent's":  {map[string]string{"MODEL_TIMEOUT": "3600", "MODEL_IDLE_TIMEOUT": "90", "MODEL_FIRST_BYTE_TIMEOUT": "5"}, model.Timeouts{Call: 1, Idle: 2, FirstByte: 3}, model.Timeouts{Call: 1, Idle: 2, FirstByte: 3}},
		"a long idle":  {map[string]string{"MODEL_IDLE_TIMEOUT": "86400"}, model.Timeouts{}, model.Timeouts{Call: usual.Call, Idle: 24 * time.Hour, FirstByte: 24 * time.Hour}},
		"a short idle": {map[string]string{"MODEL_IDLE_TIMEOUT": "5"}, model.Timeouts{}, model.Timeouts{Call: usual.Call, Idle: 5 * time.Second, FirstByte: usual.FirstByte}},
	} {
		t.Run(name, func(t *testing.T) {
			if got, err := (model.Settings{Vars: c.vars}).Timeouts(c.own); err != nil || got != c.want {
				t.Errorf("got %v, %v, want %v", got, err, c.want)
			}
		})
	}
	for _, name := range []string{"MODEL_TIMEOUT", "MODEL_IDLE_TIMEOUT", "MODEL_FIRST_BYTE_TIMEOUT"} {
		for _, bad := range []string{"0", "-1", "1.5", "1m", "60s", "soon", "86401", "99999999999999999999", "0x10", "1 000"} {
			_, err := model.Settings{Vars: map[string]string{name: bad}}.Timeouts(model.Timeouts{})
			if want := name + ` is "` + bad + `"; set it to a whole number of seconds from 1 to 86400`; errorText(err) != want {
				t.Errorf("got %v, want %s", err, want)
			}
		}
	}
}

// TestAddressWithPassword shows that an address whose value the module was not given, because it holds a
// password, is not replaced by the provider's own.
func TestAddressWithPassword(t *testing.T) {
	for _, name := range []string{"openai", "anthropic"} {
		_, err := providers.Open(map[string]string{"MODEL_PROVIDER": name, "MODEL_NAME": "m"}, []string{"MODEL_API_KEY", "MODEL_BASE_URL"})
		if want := "MODEL_BASE_URL holds a user name or password; take it out and set the secret MODEL_API_KEY"; errorText(err) != want {
			t.Errorf("%s: got %v, want %q", name, err, want)
		}
	}
}

// TestTheFirstProviderIsTheDefault shows that a module with one provider needs no setting to choose
// it.
func TestTheFirstProviderIsTheDefault(t *testing.T) {
	only := model.Providers{anthropic.Provider}
	for name, want := range map[string]string{"": "", "anthropic": "", "demo": `MODEL_PROVIDER is "demo"; set it to "anthropic"`} {
		_, err := only.Open(map[string]string{"MODEL_PROVIDER": name, "MODEL_NAME": "m"}, []string{"MODEL_API_KEY"})
		if got := errorText(err); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
