package anthropic

import (
	"strconv"

	"github.com/tributary-agents/tributary/durable/model"
)

// Provider is "anthropic": Anthropic itself, or the endpoint that the deployment names.
var Provider = model.Provider{Name: "anthropic", Open: open}

// VarThinking is the variable of a deployment that says how the model thinks: "off", the default;
// "adaptive"; or a number of tokens.
const VarThinking = "MODEL_THINKING"

const (
	// baseURL is Anthropic's address, for a deployment without [model.VarBaseURL].
	baseURL = "https://api.anthropic.com/v1"
	// usualMaxTokens is the limit of an answer if none is set, because the API requires one. It leaves
	// room for as much as a turn's answer may hold.
	usualMaxTokens = 16_384
	// minThinking is the smallest number of tokens for thinking that the API accepts.
	minThinking = 1_024
)

func open(s model.Settings) (model.Model, error) {
	name, err := s.Name("claude-sonnet-4-5")
	if err != nil {
		return nil, err
	}
	address, secret, err := s.Endpoint("Anthropic", baseURL, "messages")
	if err != nil {
		return nil, err
	}
	tokens, err := s.MaxTokens(usualMaxTokens)
	if err != nil {
		return nil, err
	}
	thinking, err := thinkingOf(s, tokens)
	if err != nil {
		return nil, err
	}
	prompted, err := s.Prompted()
	return Model{URL: address, Model: name, Secret: secret, MaxTokens: tokens, Thinking: thinking, Prompted: prompted}, err
}

// thinkingOf reads [VarThinking]. Thinking counts towards the tokens of an answer.
func thinkingOf(s model.Settings, tokens int) (Thinking, error) {
	switch value := s.Value(VarThinking); value {
	case "", "off":
		return Thinking{}, nil
	case "adaptive":
		return Thinking{Adaptive: true}, nil
	default:
		n, err := strconv.Atoi(value)
		if err != nil || n < minThinking || n >= tokens {
			return Thinking{}, model.Misconfiguredf(`%s is "%s"; set it to "off", "adaptive", or a number of tokens from %d on that is less than %s, which is %d`,
				VarThinking, model.Truncate(value, 60), minThinking, model.VarMaxTokens, tokens)
		}
		return Thinking{Budget: n}, nil
	}
}
