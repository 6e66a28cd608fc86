package model

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// Settings are the variables of a deployment that concern its model. The errors of the methods are
// [*Error]s of the kind [Misconfigured] that say what to set.
type Settings struct {
	// Vars are the deployment's variables, and Secrets the names of its secrets.
	Vars    map[string]string
	Secrets []string
}

// Value returns a variable without the space around it, or "" if it is not set.
func (s Settings) Value(name string) string { return strings.TrimSpace(s.Vars[name]) }

const (
	// maxName bounds a model's name, in bytes.
	maxName = 200
	// exampleBaseURL and exampleMaxTokens are shown in the errors for invalid settings.
	exampleBaseURL   = "https://api.openai.com/v1"
	exampleMaxTokens = 16_384
)

// Name returns the model's name as the endpoint knows it, from [VarName]. If the name is missing or
// malformed, the error shows example.
func (s Settings) Name(example string) (string, error) {
	switch name := s.Value(VarName); {
	case name == "":
		return "", misconfigured(VarName + " is not set; set it to the name of the endpoint's model, such as " + example)
	case len(name) > maxName, strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' || r == 0x7f || r == '?' || r == '#' }):
		return "", misconfigured(VarName + ` is "` + Truncate(name, 60) + `", which is no name of a model; set it to one such as ` + example)
	default:
		return name, nil
	}
}

// Endpoint returns the address of requests: the given path below the address in [VarBaseURL], or
// below the usual address. secret is the name of the secret to send as the key, or "". The error
// names provider as the owner of the usual address, which needs a key.
func (s Settings) Endpoint(provider, usual, path string) (address, secret string, err error) {
	base := s.Value(VarBaseURL)
	switch {
	case slices.Contains(s.Secrets, VarBaseURL): // its value is kept from the module, because it holds a password
		return "", "", errPassword()
	case base == "":
		base = usual
	}
	if address, err = endpointURL(base, path); err != nil {
		return "", "", err
	}
	if slices.Contains(s.Secrets, VarKey) {
		secret = VarKey
	}
	if base == usual && secret == "" {
		return "", "", misconfigured(provider + " asks for a key; set " + VarKey + " in .dev.vars on your machine, with `npx wrangler secret put " + VarKey +
			"` for a deployment, or set " + VarBaseURL + " to a server that needs none")
	}
	return address, secret, nil
}

// endpointURL returns the URL for requests at an endpoint with the given base address. The base
// address may already contain the whole path.
func endpointURL(base, path string) (string, error) {
	u, err := url.Parse(base)
	switch {
	case err != nil, u.Scheme != "http" && u.Scheme != "https", u.Host == "":
		// The value is left out because it may hold a password.
		return "", misconfigured(VarBaseURL + " is not a whole address; set it to one like " + exampleBaseURL)
	case u.User != nil:
		return "", errPassword()
	}
	u.Fragment = ""
	u.Path = strings.TrimSuffix(strings.TrimRight(u.Path, "/"), "/"+path)
	u.RawPath = ""
	return u.JoinPath(path).String(), nil
}

// HostOf returns the host of an address, with its port.
func HostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Host
}

func errPassword() error {
	return misconfigured(VarBaseURL + " holds a user name or password; take it out and set the secret " + VarKey)
}

// MaxTokens returns the maximum length of one answer in tokens, from [VarMaxTokens]. If that is not
// set, it returns usual.
func (s Settings) MaxTokens(usual int) (int, error) {
	value := s.Value(VarMaxTokens)
	if value == "" {
		return usual, nil
	}
	n, err := strconv.Atoi(value)
	if err != nil || n < 1 || n > 10_000_000 {
		return 0, misconfigured(VarMaxTokens + ` is "` + Truncate(value, 60) + `"; set it to a number of tokens, such as ` + strconv.Itoa(exampleMaxTokens))
	}
	return n, nil
}

// The values of [VarMaxTokensField].
const (
	FieldMaxTokens           = "max_tokens"
	FieldMaxCompletionTokens = "max_completion_tokens"
)

// MaxTokensField returns the name of the field for the maximum length of an answer, from
// [VarMaxTokensField]. If that is not set, it is the one that the host of the address knows: OpenAI and
// Azure refuse the older name for some models, and other servers may refuse the newer one.
func (s Settings) MaxTokensField(address string) (string, error) {
	switch value := s.Value(VarMaxTokensField); value {
	case FieldMaxTokens, FieldMaxCompletionTokens:
		return value, nil
	case "":
	default:
		return "", misconfigured(VarMaxTokensField + ` is "` + Truncate(value, 60) + `"; set it to "` + FieldMaxTokens + `" or "` + FieldMaxCompletionTokens + `"`)
	}
	for _, host := range []string{".openai.com", ".azure.com"} {
		if strings.HasSuffix("."+HostOf(address), host) {
			return FieldMaxCompletionTokens, nil
		}
	}
	return FieldMaxTokens, nil
}

// Prompted says whether a model is restricted to a schema only by its instructions, from
// [VarOutput].
func (s Settings) Prompted() (bool, error) {
	switch value := s.Value(VarOutput); value {
	case "", "native":
		return false, nil
	case "prompt":
		return true, nil
	default:
		return false, misconfigured(VarOutput + ` is "` + Truncate(value, 60) + `"; set it to "native" or "prompt"`)
	}
}
