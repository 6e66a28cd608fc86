package anthropic

import (
	"testing"

	"github.com/tributary-agents/tributary/durable/durabletest/modeltest"
	"github.com/tributary-agents/tributary/durable/model"
)

// models are the models that the files are about, by folder.
var models = map[string]model.Model{
	"anthropic": Model{URL: "http://model.test/v1/messages", Model: "m", Secret: model.VarKey, MaxTokens: 1000, Thinking: Thinking{Budget: 500}},
}

func TestTranscripts(t *testing.T) { modeltest.RunTranscripts(t, models) }

func TestRequests(t *testing.T) { modeltest.RunRequests(t, models) }

func FuzzAnswers(f *testing.F) { modeltest.FuzzAnswers(f, models) }
