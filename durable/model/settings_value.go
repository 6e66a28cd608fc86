package model

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// settings are a deployment's variables, and the names of its secrets.
type settings struct {
	vars    map[string]string
	secrets []string
}

func (s settings) value(name string) string { return strings.TrimSpace(s.vars[name]) }

// maxName bounds a model's name, in bytes.
const maxName = 200

// name is the model's name.
func (s settings) name(example string) (string, error) {
	switch name := s.value(VarName); {
	case name == "":
		return "", misconfigured(VarName + " is not set; set it to the name of the endpoint's model, such as " + example)
	case len(name) > maxName, strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' || r == 0x7f || r == '?' || r == '#' }):
		return "", misconfigured(VarName + ` is "` + cut(name, 60) + `", which is no name of a model; set it to one such as ` + example)
	default:
		return name, nil
	}
}

// endpoint is where requests go, and the secret that goes with them, or "".
func (s settings) endpoint(provider, usual, path string) (address, secret string, err error) {
	base := s.value(VarBaseURL)
	if base == "" {
		base = usual
	}
	if address, err = endpointURL(base, path); err != nil {
		return "", "", err
	}
	if slices.Contains(s.secrets, VarKey) {
		secret = VarKey
	}
	if base == usual && secret == "" {
		return "", "", misconfigured(provider + " asks for a key; set " + VarKey + " in .dev.vars on your machine, with `npx wrangler secret put " + VarKey +
			"` for a deployment, or set " + VarBaseURL + " to a server that needs none")
	}
	return address, secret, nil
}

// endpointURL is where an endpoint with the given base address takes requests. A
// base that has the whole path already is as good.
func endpointURL(base, path string) (string, error) {
	u, err := url.Parse(base)
	switch {
	case err != nil, u.Scheme != "http" && u.Scheme != "https", u.Host == "":
		// The value is left out: it may hold a password.
		return "", misconfigured(VarBaseURL + " is not a whole address; set it to one like " + openaiBaseURL)
	case u.User != nil:
		return "", misconfigured(VarBaseURL + " holds a user name or password; take it out and set the secret " + VarKey)
	}
	u.Fragment = ""
	u.Path = strings.TrimSuffix(strings.TrimRight(u.Path, "/"), "/"+path)
	u.RawPath = ""
	return u.JoinPath(path).String(), nil
}

// maxTokens bounds an answer; usual is for where nothing is set.
func (s settings) maxTokens(usual int) (int, error) {
	value := s.value(VarMaxTokens)
	if value == "" {
		return usual, nil
	}
	n, err := strconv.Atoi(value)
	if err != nil || n < 1 || n > 10_000_000 {
		return 0, misconfigured(VarMaxTokens + ` is "` + cut(value, 60) + `"; set it to a number of tokens, such as ` + strconv.Itoa(usualMaxTokens))
	}
	return n, nil
}

func (s settings) thinking(tokens int) (Thinking, error) {
	switch value := s.value(VarThinking); value {
	case "", "off":
		return Thinking{}, nil
	case "adaptive":
		return Thinking{Adaptive: true}, nil
	default:
		n, err := strconv.Atoi(value)
		if err != nil || n < minThinking || n >= tokens {
			return Thinking{}, misconfigured(VarThinking + ` is "` + cut(value, 60) + `"; set it to "off", "adaptive", or a number of tokens from ` +
				strconv.Itoa(minThinking) + " on that is less than " + VarMaxTokens + ", which is " + strconv.Itoa(tokens))
		}
		return Thinking{Budget: n}, nil
	}
}

func (s settings) prompted() (bool, error) {
	switch value := s.value(VarOutput); value {
	case "", "native":
		return false, nil
	case "prompt":
		return true, nil
	default:
		return false, misconfigured(VarOutput + ` is "` + cut(value, 60) + `"; set it to "native" or "prompt"`)
	}
}
