package model

import (
	"slices"
	"strings"
)

// failed is the reason of an answer that its provider could not finish. It is no reason to chat clients.
const failed FinishReason = "failed"

// finishWords are the words of providers and gateways for why a model has stopped, in small letters and
// without what joins their parts.
var finishWords = map[FinishReason][]string{
	Stop:      {"stop", "eos", "eostoken", "endturn", "endofturn", "stopsequence", "end", "complete", "completed", "done", "finished"},
	Length:    {"length", "maxtokens", "maxoutputtokens", "maxlength", "modellength", "tokenlimit", "modelcontextwindowexceeded", "contextlengthexceeded"},
	ToolCalls: {"toolcalls", "toolcall", "functioncall", "functioncalls", "tooluse"},
	ContentFilter: {
		"contentfilter", "contentfiltered", "refusal", "safety", "recitation", "blocklist", "prohibitedcontent", "spii", "imagesafety", "language", "sensitive",
		"guardrailintervened", "moderation",
	},
}

// failureWords are what a word has that says that the provider has failed.
var failureWords = []string{
	"error", "abort", "fail", "cancel", "timeout", "timedout", "resource", "overload", "unavailable", "network", "interrupt", "exhausted", "disconnect", "malformed",
	"ratelimit", "quota", "terminated", "killed", "crash", "exception", "rejected", "insufficient", "busy",
}

// finishReason returns the chat client's name for a server's reason for stopping.
func finishReason(word string) FinishReason {
	word = plainWord(word)
	for reason, words := range finishWords {
		if slices.Contains(words, word) {
			return reason
		}
	}
	if hasWord(word, failureWords) {
		return failed
	}
	return Other
}

// plainWord returns the last part of a word such as FinishReason.MAX_TOKENS, in small letters.
func plainWord(word string) string {
	word = strings.ToLower(strings.TrimSpace(word))
	word = word[strings.LastIndexAny(word, ".:")+1:]
	return strings.NewReplacer("_", "", "-", "", " ", "").Replace(strings.TrimPrefix(word, "finish_reason_"))
}

// brokeOff is the text for an answer whose provider has failed, with its word.
func brokeOff(word string) string {
	const text = "the model broke its answer off"
	if plainWord(word) == "error" {
		return text
	}
	return text + ": " + Quote(word)
}
