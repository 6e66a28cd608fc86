package model

import (
	"errors"
	"strings"
	"testing"
)

func TestOpen(t *testing.T) {
	key := []string{"AUTH_KEY", "MODEL_API_KEY"}
	for name, c := range map[string]struct {
		vars    map[string]string
		secrets []string
		want    Model
	}{
		"nothing":   {nil, nil, Demo{}},
		"demo":      {map[string]string{"MODEL_PROVIDER": " demo "}, key, Demo{}},
		"openai":    {map[string]string{"MODEL_PROVIDER": "openai", "MODEL_NAME": "m"}, key, OpenAI{"https://api.openai.com/v1/chat/completions", "m", "MODEL_API_KEY"}},
		"local":     {map[string]string{"MODEL_PROVIDER": "openai", "MODEL_NAME": "m", "MODEL_BASE_URL": "http://localhost:11434/v1/"}, nil, OpenAI{"http://localhost:11434/v1/chat/completions", "m", ""}},
		"whole url": {map[string]string{"MODEL_PROVIDER": "openai", "MODEL_NAME": "m", "MODEL_BASE_URL": "http://x/v1/chat/completions"}, nil, OpenAI{"http://x/v1/chat/completions", "m", ""}},
		"no path":   {map[string]string{"MODEL_PROVIDER": "openai", "MODEL_NAME": "m", "MODEL_BASE_URL": "http://x"}, nil, OpenAI{"http://x/chat/completions", "m", ""}},
		"query":     {map[string]string{"MODEL_PROVIDER": "openai", "MODEL_NAME": "m", "MODEL_BASE_URL": "http://x/d?api-version=1#y"}, nil, OpenAI{"http://x/d/chat/completions?api-version=1", "m", ""}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := Open(c.vars, c.secrets)
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
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Open(c.vars, nil)
			var e *Error
			if !errors.As(err, &e) || e.Kind != Misconfigured {
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
