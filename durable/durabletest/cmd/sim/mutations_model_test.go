package main

// plainModels is why the simulator does not find a fault: its providers answer as OpenAI does.
const plainModels = "its providers answer as OpenAI does"

// modelMutations are faults in the packages of models.
var modelMutations = []mutation{
	{
		name: "model: a schema that is made fit may take any work", file: "model/fit.go",
		old:  "\tf.steps -= n\n",
		new:  "\tf.steps -= n / (1 << 20)\n",
		test: "model TestFitEnds/six_references", unseen: "its servers have plain schemas",
	},
	{
		name: "model: a piece of a tool call is added to a later tool call", file: "model/toolcall_find.go",
		old:  `return c.index == *f.Index || f.Name == "" && c.index < 0`,
		new:  "return c.index >= *f.Index",
		test: "model/openai TestFragments", unseen: "the calls of its models come one after the other",
	},
	{
		name: "model: a name behind a whole input begins no call", file: "model/toolcall_find.go",
		old:  `case !c.span.closed(), same && (c.input.String() == "{}" || c.repeats(f)):`,
		new:  `case !same || !c.span.closed() || c.input.String() == "{}" || c.repeats(f):`,
		test: "model/openai TestFragments", unseen: plainModels,
	},
	{
		name: "model: a fragment with the id of a call and another number begins a call", file: "model/toolcall_find.go",
		old:  `return f.ID != "" && c.theirs == f.ID`,
		new:  `return f.ID != "" && c.theirs == f.ID && (f.Index == nil || *f.Index == c.index)`,
		test: "model/openai TestFragments", unseen: plainModels,
	},
	{
		name: "model: a call runs without the input that came as that of no call", file: "model/toolcall.go",
		old:  "\t\t\tlost = \"its input came as that of no call\"\n",
		new:  "\t\t\tlost = \"\"\n",
		test: "model/openai TestFragments", unseen: plainModels,
	},
	{
		name: "model: an input that was cut off is told as one that is no JSON", file: "model/toolcall.go",
		old:  `case text == "" && missing != "", why != "" && cut != "":`,
		new:  `case text == "" && missing != "":`,
		test: "model/openai TestInputsCutOff", unseen: plainModels,
	},
	{
		name: "model: an input that was encoded twice is not decoded", file: "model/toolcall.go",
		old:  "!strings.HasPrefix(text, `\"`) ||",
		new:  "len(text) >= 0 ||",
		test: "model/openai TestInputs", unseen: plainModels,
	},
	{
		name: "model: an empty object in front of an input is not dropped", file: "model/toolcall.go",
		old:  `if rest = strings.TrimSpace(rest); !strings.HasPrefix(rest, "{") {`,
		new:  `if rest = strings.TrimSpace(rest); len(rest) >= 0 {`,
		test: "model/openai TestInputs", unseen: plainModels,
	},
	{
		name: "loop: the model is not told of an input that is no JSON", file: "internal/reply/draft.go",
		old:  "\tcase protocol.ChunkToolInputError:\n\t\td.addCall(c)\n",
		new:  "\tcase protocol.ChunkToolInputError:\n",
		test: "chat TestScripts/tool/input_that_is_no_json_is_told_to_the_model", unseen: plainModels,
	},
	{
		name: "model: the input of a block that was stopped is dropped", file: "model/anthropic/answer.go",
		old:  `(a.kinds[index] == "tool_use" || a.kinds[index] == "")`,
		new:  `a.open == "tool_use"`,
		test: "model/anthropic TestBlocks", unseen: plainModels,
	},
	{
		name: "model: the text of a thought is sent to another server", file: "model/openai/kept.go",
		old:  `json.Unmarshal(provider, &p) != nil || p.OpenAI == nil || p.OpenAI.From != a.host`,
		new:  `json.Unmarshal(provider, &p) != nil || p.OpenAI == nil`,
		test: "chat TestProviderIsToldWhatItWantsBack", unseen: plainModels,
	},
	{
		name: "model: the data of a call is not sent back", file: "model/openai/request.go",
		old:  `if k.Call != nil {`,
		new:  `if k.Call == nil && k.Call != nil {`,
		test: "chat TestProviderIsToldWhatItWantsBack", unseen: plainModels,
	},
	{
		name: "model: the data of an answer is not sent back", file: "model/openai/request.go",
		old:  `if k.Message != nil {`,
		new:  `if k.Message == nil && k.Message != nil {`,
		test: "chat TestProviderIsToldWhatItWantsBack", unseen: plainModels,
	},
	{
		name: "model: a message without a thought is sent without its text", file: "model/openai/kept.go",
		old:  `list[i].ReasoningContent = cmp.Or(m.ReasoningContent, noThought)`,
		new:  `list[i].ReasoningContent = m.ReasoningContent`,
		test: "chat TestProviderIsToldWhatItWantsBack", unseen: plainModels,
	},
	{
		name: "model: pieces of one detail of a thought are not joined", file: "model/openai/detail.go",
		old:  `if n := len(*l); n == 0 || !(*l)[n-1].continues(d) {`,
		new:  `if n := len(*l); n >= 0 {`,
		test: "chat TestProviderIsToldWhatItWantsBack", unseen: plainModels,
	},
	{
		name: "model: thoughts without a signature are not kept", file: "model/anthropic/block.go",
		old:  `} else if !t.Plain {`,
		new:  `} else {`,
		test: "chat TestProviderIsToldWhatItWantsBack", unseen: plainModels,
	},
	{
		name: "model: thoughts without a signature go to another server", file: "model/anthropic/block.go",
		old:  `p.Anthropic.From != "" && p.Anthropic.From != host`,
		new:  `p.Anthropic.From == "\x00" && p.Anthropic.From != host`,
		test: "chat TestProviderIsToldWhatItWantsBack", unseen: plainModels,
	},
	{
		name: "prompt: the data of a call is lost with the memory", file: "internal/prompt/reasoning.go",
		old:  `if s.Calls[i].ID == k.Call {`,
		new:  `if s.Calls[i].ID == k.Call && false {`,
		test: "chat TestProviderIsToldWhatItWantsBack", unseen: plainModels,
	},
	{
		name: "prompt: the data of a stored call is not told", file: "internal/prompt/prompt.go",
		old:  `Provider: p.CallProvider(),`,
		new:  ``,
		test: "chat TestProviderIsToldWhatItWantsBack", unseen: plainModels,
	},
	{
		name: "protocol: the data of a thought without a signature is lost when it is shortened", file: "protocol/compact.go",
		old:  ` || isPlain(p.Provider) {`,
		new:  ` {`,
		test: "protocol TestCompactKeepsDataOfPlainThoughtsAndCalls", unseen: plainModels,
	},
	{
		name: "model: a finish reason that says that the provider has failed ends an answer well", file: "model/finish.go",
		old:  "\tif hasWord(word, failureWords) {\n",
		new:  "\tif hasWord(word, failureWords) && word == \"\" {\n",
		test: "model/openai TestFailures", unseen: plainModels,
	},
	{
		name: "model: the words of a finish reason are compared with their case", file: "model/finish.go",
		old:  `word = strings.ToLower(strings.TrimSpace(word))`,
		new:  `word = strings.TrimSpace(word)`,
		test: "model/openai TestFraming", unseen: plainModels,
	},
	{
		name: "model: a report without error around it is none", file: "model/dialect.go",
		old:  `case said.certain:`,
		new:  `case said.certain && a.over:`,
		test: "model/openai TestFailures", unseen: plainModels,
	},
	{
		name: "model: an event named error is read like any other", file: "model/dialect.go",
		old:  `case e.name == "error":`,
		new:  `case e.name == "error" && a.over:`,
		test: "model/openai TestFailures", unseen: plainModels,
	},
	{
		name: "model: what stands outside of events is lost", file: "model/sse.go",
		old:  `p.stray = append(append(p.stray, line[:min(len(line), maxErrorBody-len(p.stray))]...), '\n')`,
		new:  `p.stray = p.stray[:0]`,
		test: "model/openai TestFailures", unseen: plainModels,
	},
	{
		name: "model: words that nothing follows are lost", file: "model/dialect.go",
		old:  "\t\t\ta.cause = slices.Clone(data)\n",
		new:  "\t\t\t_ = slices.Clone(data)\n",
		test: "model/openai TestFailures", unseen: plainModels,
	},
	{
		name: "model: a report in a list is not read", file: "model/failure.go",
		old:  "\t\t\tbody = bytes.TrimSpace(all[0])\n",
		new:  "\t\t\treturn saidError{}\n",
		test: "model/openai TestFailures", unseen: plainModels,
	},
	{
		name: "model: a failure that lasts is tried again", file: "model/failure.go",
		old:  "\tcase hasWord(said.codes, lastingWords):\n",
		new:  "\tcase hasWord(said.codes, lastingWords) && said.message == \"\":\n",
		test: "model/openai TestFailures", unseen: plainModels,
	},
	{
		name: "model: the framing is told by the media type", file: "model/framing.go",
		old:  "\t\tcase '{', '[':\n\t\t\treturn single\n",
		new:  ``,
		test: "model/openai TestFraming", unseen: plainModels,
	},
	{
		name: "model: lines of an event that is not JSON are not read", file: "model/dialect.go",
		old:  `case bytes.ContainsRune(data, '\n') && !json.Valid(data):`,
		new:  `case bytes.ContainsRune(data, '\n') && a.over:`,
		test: "model/openai TestFailures", unseen: plainModels,
	},
	{
		name: "model: a field of another type ends an answer", file: "model/loose.go",
		old:  "\tif mismatch := new(json.UnmarshalTypeError); errors.As(err, &mismatch) {\n\t\treturn nil\n",
		new:  "\tif mismatch := new(json.UnmarshalTypeError); errors.As(err, &mismatch) {\n\t\treturn err\n",
		test: "model/openai TestFraming", unseen: plainModels,
	},
	{
		name: "model: half of a character is not held back", file: "model/halves.go",
		old:  "\t\t\th.high = bytes.Clone(rest[:escapeSize])\n",
		new:  "\t\t\th.high = nil\n",
		test: "model/openai TestFraming", unseen: plainModels,
	},
	{
		name: "model: every server is told the newer name of the limit", file: "model/settings.go",
		old:  "\treturn FieldMaxTokens, nil\n",
		new:  "\treturn FieldMaxCompletionTokens, nil\n",
		test: "model/openai TestMaxTokensField", unseen: plainModels,
	},
	{
		name: "loop: a thought without an answer is done", file: "internal/loop/model.go",
		old:  `case !a.draft.Visible || a.draft.OnlyThought():`,
		new:  `case !a.draft.Visible:`,
		test: "chat TestThoughtIsNoAnswer", unseen: plainModels,
	},
	{
		name: "message: a picture is told under the name that a client has given its type", file: "internal/message/attachment.go",
		old:  `return cmp.Or(otherNames[media], media)`,
		new:  `return cmp.Or(media, otherNames[media])`,
		test: "internal/message TestPictureHasItsRegisteredType", unseen: plainModels,
	},
}
