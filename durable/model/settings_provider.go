package model

import "strings"

const (
	// openaiBaseURL and anthropicBaseURL are where the providers are without [VarBaseURL].
	openaiBaseURL    = "https://api.openai.com/v1"
	anthropicBaseURL = "https://api.anthropic.com/v1"
	// usualMaxTokens bounds an answer where the provider wants a bound. It leaves room for
	// what a turn's answer may hold.
	usualMaxTokens = 16_384
	// usualCloudTokens is the same for Workers AI, whose own bound is a few sentences.
	usualCloudTokens = 4_096
	// minThinking is the least that Anthropic takes as a number of tokens to think.
	minThinking = 1_024
)

func (s settings) openai() (Model, error) {
	name, err := s.name("gpt-4.1-mini")
	if err != nil {
		return nil, err
	}
	address, secret, err := s.endpoint("OpenAI", openaiBaseURL, "chat/completions")
	if err != nil {
		return nil, err
	}
	tokens, err := s.maxTokens(0)
	if err != nil {
		return nil, err
	}
	prompted, err := s.prompted()
	return OpenAI{URL: address, Model: name, Secret: secret, MaxTokens: tokens, Prompted: prompted}, err
}

func (s settings) anthropic() (Model, error) {
	name, err := s.name("claude-sonnet-4-5")
	if err != nil {
		return nil, err
	}
	address, secret, err := s.endpoint("Anthropic", anthropicBaseURL, "messages")
	if err != nil {
		return nil, err
	}
	tokens, err := s.maxTokens(usualMaxTokens)
	if err != nil {
		return nil, err
	}
	thinking, err := s.thinking(tokens)
	if err != nil {
		return nil, err
	}
	prompted, err := s.prompted()
	return Anthropic{URL: address, Model: name, Secret: secret, MaxTokens: tokens, Thinking: thinking, Prompted: prompted}, err
}

func (s settings) workersAI() (Model, error) {
	const example = "@cf/meta/llama-3.3-70b-instruct-fp8-fast"
	name, err := s.name(example)
	if err != nil {
		return nil, err
	}
	if !strings.Contains(name, "/") {
		return nil, misconfigured(VarName + ` is "` + cut(name, 60) + `"; Workers AI names its models like ` + example)
	}
	tokens, err := s.maxTokens(usualCloudTokens)
	if err != nil {
		return nil, err
	}
	prompted, err := s.prompted()
	return WorkersAI{Binding: defaultBinding, Model: name, MaxTokens: tokens, Prompted: prompted}, err
}
