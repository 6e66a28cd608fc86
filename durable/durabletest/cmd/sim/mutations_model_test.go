package main

// plainModels is why the simulator does not find a fault: its providers answer as OpenAI does.
const plainModels = "its providers answer as OpenAI does"

// modelMutations are faults in the packages of models.
var modelMutations = []mutation{
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
		old:  "\tcase protocol.ChunkToolInputError:\n\t\td.ToolCalls = append(d.ToolCalls, turn.Call{ID: c.ToolCallID, Name: c.ToolName, Input: c.Input})\n",
		new:  "\tcase protocol.ChunkToolInputError:\n",
		test: "chat TestScripts/tool/input_that_is_no_json_is_told_to_the_model", unseen: plainModels,
	},
	{
		name: "model: the input of a block that was stopped is dropped", file: "model/anthropic/answer.go",
		old:  `(a.kinds[index] == "tool_use" || a.kinds[index] == "")`,
		new:  `a.open == "tool_use"`,
		test: "model/anthropic TestBlocks", unseen: plainModels,
	},
}
