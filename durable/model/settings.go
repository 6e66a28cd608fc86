package model

import (
	"net/url"
	"slices"
	"strings"
)

// The variables of a deployment that choose its model.
const (
	// VarProvider names the provider: "demo", which is also the default, or
	// "openai".
	VarProvider = "MODEL_PROVIDER"
	// VarBaseURL is the endpoint's address, before /chat/completions.
	VarBaseURL = "MODEL_BASE_URL"
	// VarName is the model's name as the endpoint knows it.
	VarName = "MODEL_NAME"
	// VarKey is the secret with the endpoint's key.
	VarKey = "MODEL_API_KEY"
)

// defaultBaseURL is where the provider "openai" is without [VarBaseURL].
const defaultBaseURL = "https://api.openai.com/v1"

// Open returns the model that a deployment's variables ask for. secrets are the
// names of the secrets that it has. An error is an [*Error] of the kind
// [Misconfigured] that says what to set.
func Open(vars map[string]string, secrets []string) (Model, error) {
	switch provider := strings.TrimSpace(vars[VarProvider]); provider {
	case "", "demo":
		return Demo{}, nil
	case "openai":
		return openOpenAI(vars, secrets)
	default:
		return nil, misconfigured(VarProvider + ` is "` + cut(provider, 60) + `"; set it to "demo" or "openai"`)
	}
}

func openOpenAI(vars map[string]string, secrets []string) (Model, error) {
	name := strings.TrimSpace(vars[VarName])
	if name == "" {
		return nil, misconfigured(VarName + " is not set; set it to the name of the endpoint's model, such as gpt-4.1-mini")
	}
	base := strings.TrimSpace(vars[VarBaseURL])
	if base == "" {
		base = defaultBaseURL
	}
	address, err := completionsURL(base)
	if err != nil {
		return nil, err
	}
	secret := ""
	if slices.Contains(secrets, VarKey) {
		secret = VarKey
	}
	if base == defaultBaseURL && secret == "" {
		return nil, misconfigured("OpenAI asks for a key; set the secret " + VarKey + " with `npx wrangler secret put " + VarKey +
			"`, or set " + VarBaseURL + " to a server that needs none")
	}
	return OpenAI{URL: address, Model: name, Secret: secret}, nil
}

// completionsURL is where an endpoint with the given base address takes
// requests. A base that has the whole path already is as good.
func completionsURL(base string) (string, error) {
	u, err := url.Parse(base)
	switch {
	case err != nil, u.Scheme != "http" && u.Scheme != "https", u.Host == "":
		// The value is left out: it may hold a password.
		return "", misconfigured(VarBaseURL + " is not a whole address; set it to one like " + defaultBaseURL)
	case u.User != nil:
		return "", misconfigured(VarBaseURL + " holds a user name or password; take it out and set the secret " + VarKey)
	}
	u.Fragment = ""
	u.Path = strings.TrimSuffix(strings.TrimRight(u.Path, "/"), "/chat/completions")
	u.RawPath = ""
	return u.JoinPath("chat", "completions").String(), nil
}

func misconfigured(message string) *Error { return &Error{Kind: Misconfigured, Message: message} }
