package main

// schemaMutations are faults in the countdown of the work that schemas, and what is checked against them, ask for.
var schemaMutations = []mutation{
	{
		name: "validator: a check costs nothing", file: "internal/validator/check.go",
		old:  "v.take(perCheck) {",
		new:  "v.take(0) {",
		test: "internal/validator TestEveryCostHasAnEnd/oneOf_twice", unseen: "its servers have two kinds of costly schemas",
	},
	{
		name: "validator: a number next to zero costs what others cost", file: "internal/validator/scalar.go",
		old:  "!r.take(limit.NumberCost(r.source[begin:r.at]) - 1) {",
		new:  "!r.take(min(limit.NumberCost(r.source[begin:r.at]), 1) - 1) {",
		test: "internal/validator TestEveryCostHasAnEnd/numbers_next_to_zero", unseen: "its numbers are usual ones",
	},
	{
		name: "protocol: a number next to zero counts as one element", file: "protocol/scan.go",
		old:  "\ts.elements += limit.NumberCost(text) - 1\n",
		new:  "\ts.elements += min(limit.NumberCost(text), 1) - 1\n",
		test: "protocol TestNumbersCountByTheirCost", unseen: "its numbers are usual ones",
	},
	{
		name: "protocol: a value may have numbers that take long to read", file: "protocol/shorten.go",
		old:  "\tif s.elements > Limits.Elements {",
		new:  "\tif s.elements < 0 {",
		test: "protocol TestNumbersCountByTheirCost", unseen: "its numbers are usual ones",
	},
	{
		name: "action: the digest computes every number", file: "action/digest.go",
		old:  "limit.NumberCost(n.String()) > costly {",
		new:  "limit.NumberCost(n.String()) < 0 {",
		test: "action TestDigestComputesNoCostlyNumbers", unseen: "its numbers are usual ones",
	},
	{
		name: "validator: an address is as long as it likes", file: "internal/validator/reference.go",
		old:  "\tif len(address) > maxAddress {",
		new:  "\tif len(address) < 0 {",
		test: "internal/validator TestEveryCostHasAnEnd/an_address_that_is_too_long", unseen: "its servers' schemas have no addresses",
	},
	{
		name: "validator: resolving against a long address costs nothing", file: "internal/validator/reference.go",
		old:  "!c.takeBytes(16*len(address) + s.resource.size) {",
		new:  "!c.takeBytes(16*len(address) + min(s.resource.size, 0)) {",
		test: "internal/validator TestEveryCostHasAnEnd/references_to_a_long_path", unseen: "its servers' schemas have no addresses",
	},
	{
		name: "model: a report of any length is decoded", file: "model/said.go",
		old:  "len(raw) <= maxNothing && json",
		new:  "len(raw) >= 0 && json",
		test: "model TestLongReportsAreNotDecoded", unseen: "its models report failures in few words",
	},
	{
		name: "validator: references nest without end", file: "internal/validator/check.go",
		old:  "v.depth > MaxDepth && v.end == nil {",
		new:  "v.depth > 1000*MaxDepth && v.end == nil {",
		test: "internal/validator TestEveryCostHasAnEnd/a_reference_to_itself", unseen: "the stack of a test is large",
	},
	{
		name: "validator: comparing large values costs nothing", file: "internal/validator/key.go",
		old:  "\tif !c.take(1) {\n\t\treturn b, false\n\t}\n",
		new:  "",
		test: "internal/validator TestEveryCostHasAnEnd/enum_of_large_values", unseen: "its values are small",
	},
	{
		name: "validator: comparing long texts costs nothing", file: "internal/validator/key.go",
		old:  "!c.takeBytes(len(s)) {",
		new:  "!c.takeBytes(0) {",
		test: "internal/validator TestEveryCostHasAnEnd/const_of_a_large_text", unseen: "its texts are short",
	},
	{
		name: "validator: sorting names costs nothing", file: "internal/validator/key.go",
		old:  "return c.take((2*len(names) + size/bytesAStep) * rounds)",
		new:  "return c.take(rounds - rounds + size - size)",
		test: "internal/validator TestEveryCostHasAnEnd/enum_of_objects,_which_are_sorted", unseen: "its values are small",
	},
	{
		name: "validator: unique elements cost nothing", file: "internal/validator/list.go",
		old:  "!ok || !v.take(perUnique) {",
		new:  "!ok || v.left < 0 && !v.take(perUnique) {",
		test: "internal/validator TestEveryCostHasAnEnd/unique_elements", unseen: "its lists are short",
	},
	{
		name: "validator: a pattern costs nothing", file: "internal/validator/pattern.go",
		old:  "!v.take(m.steps / instructionsAStep) {",
		new:  "!v.take(0) {",
		test: "internal/validator TestEveryCostHasAnEnd/a_pattern", unseen: "its schemas have no patterns",
	},
	{
		name: "validator: a pattern with many repetitions is compiled", file: "internal/validator/pattern.go",
		old:  "size > maxProgram {",
		new:  "size > 1000*maxProgram {",
		test: "internal/validator TestBadSchemas", unseen: "its schemas have no patterns",
	},
	{
		name: "validator: classes of a pattern cost nothing", file: "internal/validator/pattern.go",
		old:  "\t\t\t\tsteps += perUnicodeClass\n",
		new:  "\t\t\t\tsteps++\n",
		test: "internal/validator TestEveryCostHasAnEnd/classes_of_Unicode", unseen: "its schemas have no patterns",
	},
	{
		name: "validator: a whole value is in the words of an error", file: "internal/validator/words.go",
		old:  "\t\treturn shorten(d.text(n), maxShown)\n",
		new:  "\t\treturn d.text(n)\n",
		test: "internal/validator TestWords", unseen: "its values are small",
	},
	{
		name: "validator: all alternatives are in the words of an error", file: "internal/validator/words.go",
		old:  "words = shorten(words+v.reason(f), MaxWords)",
		new:  "words += v.reason(f)",
		test: "internal/validator TestWordsOfManyAlternatives", unseen: "its schemas are small",
	},
	{
		name: "validator: compiling a schema costs nothing", file: "internal/validator/compile.go",
		old:  "!c.take(perSchema) || c.done():",
		new:  "!c.take(0) || c.done():",
		test: "internal/validator TestEveryCostHasAnEnd/schemas$", unseen: "its schemas are small",
	},
	{
		name: "validator: the end of a countdown is a refusal of not", file: "internal/validator/check.go",
		old:  "\tif v.end != nil {\n\t\terr = v.end\n\t}\n",
		new:  "",
		test: "internal/validator TestEveryCostHasAnEnd/not_itself", unseen: "its schemas have no not",
	},
	{
		name: "agent: the checks of code's inputs have no common end", file: "internal/coderun/call.go",
		old:  "schema.CheckWithin(t.call.Input, &t.checks); err",
		new:  "schema.Check(t.call.Input); err",
		test: "chat TestInputsOfCodeHaveACommonEnd", unseen: "its code makes few calls",
	},
	{
		name: "agent: code searches without end", file: "internal/coderun/call.go",
		old:  "r.looks > maxLooks {",
		new:  "r.looks < 0 {",
		test: "chat TestSearchesOfCodeHaveAnEnd", unseen: "its code makes few calls",
	},
	{
		name: "codemode: schemas are read without end", file: "internal/codemode/types.go",
		old:  "enough := n <= *w.work",
		new:  "enough := n <= maxWork",
		test: "internal/codemode TestWorkIsBounded", unseen: "its schemas are small",
	},
	{
		name: "schema: a server's result has the steps of an author's", file: "internal/validator/check.go",
		old:  "\t_, err := s.checked(value, OfferedSteps)\n",
		new:  "\t_, err := s.checked(value, MaxSteps)\n",
		test: "run TestOffered", unseen: "its values are small",
	},
}
