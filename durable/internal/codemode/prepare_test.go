package codemode

import (
	"strings"
	"testing"
)

// TestPrepare has the forms in which models write code. ‹ stands for what is before the code, and › for
// what is behind it.
func TestPrepare(t *testing.T) {
	for code, want := range map[string]string{
		// Functions that are meant to be called.
		"async () => { return 1 }":                       "‹return await (async () => { return 1 })()›",
		"async () => 1;":                                 "‹return await (async () => 1)();›",
		"() => tools.a()":                                "‹return await (() => tools.a())()›",
		"async (tools) => tools.a()":                     "‹return await (async (tools) => tools.a())(tools)›",
		"async tools => tools.a()":                       "‹return await (async tools => tools.a())(tools)›",
		"async ({tools, sleep}) => tools.a()":            "‹return await (async ({tools, sleep}) => tools.a())({tools, search, help, sleep, console})›",
		"(async () => {\n  return 1\n})":                 "‹return await ((async () => {\n  return 1\n}))()›",
		"// first\nasync () => 1 // last":                "‹// first\nreturn await (async () => 1)() // last›",
		"const one = 1\nasync () => one":                 "‹const one = 1\nreturn await (async () => one)()›",
		"async function main() {\n  return 1\n}\n":       "‹return await (async function main() {\n  return 1\n})()\n›",
		"function main(tools) { return tools.a() }":      "‹return await (function main(tools) { return tools.a() })(tools)›",
		"async function () { return 1 }":                 "‹return await (async function () { return 1 })()›",
		"(function () { return 1 })":                     "‹return await ((function () { return 1 }))()›",
		"function a() {}\nfunction b() {}":               "‹function a() {}\nfunction b() {}›",
		"async function main() { return 1 }\nmain()":     "‹async function main() { return 1 }\nreturn main()›",
		"async function main() { return 1 }\n\nmain();":  "‹async function main() { return 1 }\n\nreturn main();›",
		"(async () => { return 1 })()":                   "‹return (async () => { return 1 })()›",
		"await (async () => 1)();":                       "‹return await (async () => 1)();›",
		"async(1)":                                       "‹return async(1)›",
		"const f = async () => {\n}\n(await f()).length": "‹const f = async () => {\n}\nreturn (await f()).length›",

		// Statements.
		"return 1":                              "‹return 1›",
		"1 + 1":                                 "‹return 1 + 1›",
		"const a = 1; a":                        "‹const a = 1; return a›",
		"const a = 1; a;\n\n":                   "‹const a = 1; return a;\n\n›",
		"const a = await tools.b({})\na.length": "‹const a = await tools.b({})\nreturn a.length›",
		"const a = 1":                           "‹const a = 1›",
		"let a\nlet b\na = b = 2":               "‹let a\nlet b\nreturn a = b = 2›",
		"if (a) b()\nelse c()\nd":               "‹if (a) b()\nelse c()\nreturn d›",

		// Blocks.
		"if (a) b(); else if (c) { d() } else e()":    "‹if (a) b(); else if (c) { d() } else e()›",
		"for (const a of b) await c(a)":               "‹for (const a of b) await c(a)›",
		"for await (const a of b) c(a)\nd":            "‹for await (const a of b) c(a)\nreturn d›",
		"let i = 0\ndo i++; while (i < 3)\ni":         "‹let i = 0\ndo i++; while (i < 3)\nreturn i›",
		"while (a) {\n}\nb":                           "‹while (a) {\n}\nreturn b›",
		"try { a() } catch { b() } finally { c() } d": "‹try { a() } catch { b() } finally { c() } return d›",
		"try { a() } catch (e) { b() }":               "‹try { a() } catch (e) { b() }›",
		"switch (a) { case (b): c; default: d }\ne":   "‹switch (a) { case (b): c; default: d }\nreturn e›",
		"class A extends B { c() {} }\nnew A().c()":   "‹class A extends B { c() {} }\nreturn new A().c()›",
		"outer: for (;;) break outer\na":              "‹outer: for (;;) break outer\nreturn a›",
		"throw new Error('a')":                        "‹throw new Error('a')›",
		"if (a) return 1\nb":                          "‹if (a) return 1\nreturn b›",
		"'use strict'\na":                             "‹'use strict'\nreturn a›",
		"import('a')":                                 "‹return import('a')›",
		";":                                           "‹;›",

		// Where an expression ends.
		"const a = b\n  .map(c)\n  .filter(d)\na":                "‹const a = b\n  .map(c)\n  .filter(d)\nreturn a›",
		"a\n  .map(b)\n  .filter(c)":                             "‹return a\n  .map(b)\n  .filter(c)›",
		"const a = b\n  ? c\n  : d\na":                           "‹const a = b\n  ? c\n  : d\nreturn a›",
		"const a = b +\n  c\na":                                  "‹const a = b +\n  c\nreturn a›",
		"const a = b\n  && c\na":                                 "‹const a = b\n  && c\nreturn a›",
		"const a = b\n  in c\na":                                 "‹const a = b\n  in c\nreturn a›",
		"const a = 1\n++a":                                       "‹const a = 1\nreturn ++a›",
		"a\n!b":                                                  "‹a\nreturn !b›",
		"const a = function ()\n{\n}\na()":                       "‹const a = function ()\n{\n}\nreturn a()›",
		"const a = class\n{\n}\nnew a":                           "‹const a = class\n{\n}\nreturn new a›",
		"const f = () => {}\n[1, 2].map(f)":                      "‹const f = () => {}\nreturn [1, 2].map(f)›",
		"const f = [1]\n[0]":                                     "‹const f = [1]\n[0]›",
		"a.delete\nb":                                            "‹a.delete\nreturn b›",
		"const {a, b} =\n  await c()\n`${a} ${b}`":               "‹const {a, b} =\n  await c()\n`${a} ${b}`›",
		"const {a, b} =\n  await c();\n`${a} ${b}`":              "‹const {a, b} =\n  await c();\nreturn `${a} ${b}`›",
		"a // b\n/* c\n */ d":                                    "‹a // b\n/* c\n */ return d›",
		"const a = 1 // b \u2028a":                               "‹const a = 1 // b \u2028return a›",
		"const a = `${b ? `c${`}`}` : '`'}}`\na":                 "‹const a = `${b ? `c${`}`}` : '`'}}`\nreturn a›",
		"const a = b / c; d / e":                                 "‹const a = b / c; return d / e›",
		"const a = /[/}]\\/{/g; a":                               "‹const a = /[/}]\\/{/g; return a›",
		"if (a) /}/.test(b)\nc":                                  "‹if (a) /}/.test(b)\nreturn c›",
		"{ a() }\n/}/.test(b)":                                   "‹{ a() }\nreturn /}/.test(b)›",
		"const a = {b: 1} / 2, c = 3 / 4\na":                     "‹const a = {b: 1} / 2, c = 3 / 4\nreturn a›",
		"(a) / b; c / d":                                         "‹(a) / b; return c / d›",
		"a?.5:1":                                                 "‹return a?.5:1›",
		"const größe = 1\ngröße":                                 "‹const größe = 1\nreturn größe›",
		"1e+3\n0xe+3":                                            "‹1e+3\nreturn 0xe+3›",
		"'a\\\nb'\n\"c\"":                                        "‹'a\\\nb'\nreturn \"c\"›",
		strings.Repeat("if (a) ", maxNesting+1) + "b\nc":         "‹" + strings.Repeat("if (a) ", maxNesting+1) + "b\nc›",
		"const r = await Promise.all([1].map(q => a(q))); r[0]":  "‹const r = await Promise.all([1].map(q => a(q))); return r[0]›",
		"console.log(`a: ${b}`)\n({ a, b })":                     "‹return console.log(`a: ${b}`)\n({ a, b })›",
		"const total = a.reduce((b, c) => b + c, 0)\ntotal > 10": "‹const total = a.reduce((b, c) => b + c, 0)\nreturn total > 10›",

		// An object at the end, which JavaScript would read as a block.
		"const a = 1\n{ a, b: 2 }":     "‹const a = 1\nreturn { a, b: 2 }›",
		"{ a: 1 };":                    "‹return { a: 1 };›",
		"{ a }":                        "‹return { a }›",
		"{ ...a }":                     "‹return { ...a }›",
		"{ 'a b': 1 }":                 "‹return { 'a b': 1 }›",
		"{ a() }":                      "‹{ a() }›",
		"{ a: for (;;) break a }":      "‹{ a: for (;;) break a }›",
		"{ return }":                   "‹{ return }›",
		"{ const a = 1; b(a) }":        "‹{ const a = 1; b(a) }›",
		"if (a) { b }\n{ c: 1 }\nd(1)": "‹if (a) { b }\n{ c: 1 }\nreturn d(1)›",

		// Fences, with lines that keep their numbers.
		"```js\nconst a = 1\na\n```":     "‹\nconst a = 1\nreturn a\n›",
		"```javascript\r\na\r\n```\r\n":  "‹\r\nreturn a\r\n›",
		"\n\n```\nasync () => 1\n```":    "‹\n\n\nreturn await (async () => 1)()\n›",
		"```ts\na":                       "‹\nreturn a›",
		"```js a```":                     "‹ return a›",
		"```a```":                        "‹return a›",
		"```a + b\n```":                  "‹return a + b\n›",
		"\u00a0```TypeScript\nreturn 1 ": "‹\u00a0\nreturn 1›",

		// What does not add up is left to the engine.
		"const a = (1":  "‹const a = (1›",
		"a }":           "‹a }›",
		"a /* b":        "‹a /* b›",
		"'a\n'":         "‹'a\n'›",
		"`a":            "‹`a›",
		"a = /b\n/":     "‹a = /b\n/›",
		"([)]":          "‹([)]›",
		"`${a":          "‹`${a›",
		"if":            "‹if›",
		"function":      "‹function›",
		"do":            "‹do›",
		"async":         "‹return async›",
		"class":         "‹class›",
		"for await":     "‹for await›",
		"a:":            "‹a:›",
		"const":         "‹const›",
		"try":           "‹try›",
		"function a":    "‹function a›",
		"(function)":    "‹return (function)›",
		"()":            "‹return ()›",
		"export":        "‹export›",
		"a\\u0041 ? 1:": "‹return a\\u0041 ? 1:›",
	} {
		got, err := Prepare(code)
		want = strings.NewReplacer("‹", opening, "›", closing).Replace(want)
		if err != nil || got != want {
			t.Errorf("%q:\ngot  %q, %v\nwant %q", code, got, err, want)
		}
	}
}

func TestPrepareRefuses(t *testing.T) {
	const types1, modules1 = typesRefused + " (line 1)", modulesRefused + " (line 1)"
	for code, want := range map[string]string{
		"":           errEmpty.Error(),
		" \n// a\n":  errEmpty.Error(),
		"```js\n```": errEmpty.Error(),
		"/* a */":    errEmpty.Error(),

		"const a: string = 'b'":                           types1,
		"let a: Promise<string>":                          types1,
		"const { a }: A = b":                              types1,
		"for (const a: A of b) c":                         types1,
		"const [a]: number[] = b":                         types1,
		"const f = (a: number) => a":                      types1,
		"const f = (a?: number) => a":                     types1,
		"const f = async (): Promise<string> => 'a'":      types1,
		"async (): Promise<{ a: string }> => ({ a })":     types1,
		"function f(a, b?) {}":                            types1,
		"function f<T>(a) { return a }":                   types1,
		"function f(): void {}":                           types1,
		"const f = { g(): void {} }":                      types1,
		"try { a() } catch (e: any) { b() }":              types1,
		"interface A { b: string }":                       types1,
		"interface A extends B {}":                        types1,
		"type A = { b: string }":                          types1,
		"type A<T> = T[]":                                 types1,
		"enum A { B }":                                    types1,
		"const enum A { B }":                              types1,
		"declare const a":                                 types1,
		"const a = b as string":                           types1,
		"const a = b() as { c: string }[]":                types1,
		"const a = (await b()) as [C]":                    types1,
		"const a = [] as const":                           types1,
		"const a = { b: 1 } satisfies B":                  types1,
		"const a = b!.c":                                  types1,
		"f(a!, b)":                                        types1,
		"const a = new Map<string, number>()":             types1,
		"const a = new Promise<void>((b) => b())":         types1,
		"const a = get<string[]>('b')":                    types1,
		"const a = [1, 2]\n\nconst b: number = 1":         typesRefused + " (line 3)",
		"```ts\ninterface A {\n  b: string\n}\n```":       typesRefused + " (line 2)",
		"a ? (b) : c\nswitch (a) { case b: }\nlet c: C":   typesRefused + " (line 3)",
		"const f = (a = b ? c : d, e: F) => 1":            types1,
		"const f = `${((a: string) => a)(1)}`":            types1,
		"const a = 'it''s'\nimport fs from 'fs'":          modulesRefused + " (line 2)",
		"import 'a'":                                      modules1,
		"import * as a from 'b'":                          modules1,
		"import { a } from 'b'":                           modules1,
		"export default async () => 1":                    modules1,
		"export const a = 1":                              modules1,
		"const a = 1\nexport { a }":                       modulesRefused + " (line 2)",
		"export async function a() {}":                    modules1,
		"/* a\nb */ type C = 1":                           typesRefused + " (line 2)",
		"const a = `\n\n`; let b: C":                      typesRefused + " (line 3)",
		"const a = '\\\n'; let b: C":                      typesRefused + " (line 2)",
		"a // b\r\n/c\\/d/.test(e)\rlet b: C":             typesRefused + " (line 3)",
		strings.Repeat("\n", 1233) + "let thousand: Much": typesRefused + " (line 1234)",
	} {
		if got, err := Prepare(code); err == nil || err.Error() != want {
			t.Errorf("%q: got %q, %v, want %s", code, got, err, want)
		}
	}
}

// TestPrepareAccepts has JavaScript that looks like types and modules.
func TestPrepareAccepts(t *testing.T) {
	for _, code := range []string{
		"const o = { a: string, 'b': 1, [c]: 2, d(e) {}, get f() { return 1 }, type: 3, interface: 4, enum: 5, case: 6, default: 7, as: 8 }",
		"o.type = o.interface.enum.as",
		"a ? b : c", "a ? (b) : c => d", "a ? [b] : [c]", "f(a ? b : c, d ? { e: 1 } : [f])", "x[a ? 1 : 2]", "`${a ? b : c}`",
		"a ? b ? c : d : e", "a ?.5 : 1", "a ?? b", "a?.b", "a?.[0]", "a?.()",
		"label: for (;;) break label",
		"switch (a) { case 1: b; case (2): c; case d ? 1 : 2: e; case 'f': { g } default: h }",
		"const type = 1, as = 2, interface_ = 3, of = 4", "for (const type of types) f(type)", "for (const as of of) f(as)", "for (type in types) f(type)",
		"type instanceof Foo", "type\nFoo\n= 1", "as\nFoo", "const as = 1\nas", "if (as) as[0] = 1", "if (a) as [0]", "while (a) as()",
		"class as extends Foo {}", "class as {}", "class A { as = 1; type = 2; static b = 3 }",
		"const { a: b, c: { d = 1 } = {} } = e", "({ a: b } = c)", "const f = ({ a: b, ...c }, [d] = [], e = { f: 1 }) => b",
		"a < b > (c)", "f(a < b, c > (d))", "f(a < b, c > (() => d)())", "a > (b)", "const f = a > (() => 1)",
		"!a", "a\n!b", "a != b", "a !== b", "f(!a, !b)", "return !0",
		"void 0", "f(void 0)", "x = void 0 > 1",
		"import('a')", "import.meta", "const importer = 1\nimporter", "exports = 1", "o.export = o.import",
		"const a = b\n[c]", "return []", "const [] = a", "for (const a of []) f()", "case_[0]", "await []", "new Set([])", "a\n[]",
		"a /* : string */", "'const a: string'", "`const a: ${b}`", "/const a: (b: string)/.test(c)", "// type A = 1\na",
		"async () => ({ a: 1 })", "const f = () => ({ a: 1 }), g = (a, b = c ? d : e) => a", "(a, b) => ({ a: b })",
		"x = y / z; w = `${a / b}`", "if (a) /b: (c/.test(d)", "x = a++ / 2; y = b / (c)",
		"enumerate: for (;;) break", "declare\nconst a = 1", "namespace = { a: 1 }", "interface_\n{ }",
		"o = { if: 1, for: 2, async: 3, await: 4, get: 5, async f() {}, *g() {}, async *h() {}, 'i'() {} }",
		"{ a: { b: c } }", "if (a) { b: c }", "function f() { a: b }", "() => { a: b }",
	} {
		if _, err := Prepare(code); err != nil {
			t.Errorf("%q: %v", code, err)
		}
	}
}

// TestPrepareIsLinear has long texts, each of which would take minutes if something looked back or ahead
// for each of its characters.
func TestPrepareIsLinear(t *testing.T) {
	for _, part := range []string{"(", "a:", "if(a)", "do ", `\`, "`${", "/", "a<", "!", "/*", "{a:", "?", "function ", "class ", "case a", "async ", "a\n", "/\\", "const [", "()=>", "x as ", "```", "1e+", "``", "''", "try{}catch", "\u2028", "é"} {
		if script, err := Prepare(strings.Repeat(part, 1<<18/len(part))); err == nil && !strings.HasPrefix(script, opening) {
			t.Errorf("%q: got %.40q…", part, script)
		}
	}
}

func TestExplain(t *testing.T) {
	for _, c := range []struct{ code, words, want string }{
		{"a\nclass B {\n  c: string\n}", "SyntaxError: expecting ';' (line 3)", typesRefused + " (line 3)"},
		{"const a = <T>(b) => b", "SyntaxError: unexpected token (line 1)", typesRefused + " (line 1)"},
		{"class A { private b = 1 }", "SyntaxError: invalid field (line 1)", typesRefused + " (line 1)"},
		{"const a = b!\nc", "SyntaxError: unexpected token (line 1)", typesRefused + " (line 1)"},
		{"const a = get<string>('b')", "ReferenceError: string is not defined (line 1)", typesRefused + " (line 1)"},
		{"const a = get<Foo>('b')", "ReferenceError: 'Foo' is not defined (line 1)", typesRefused + " (line 1)"},
		{"```ts\nclass A { b: B }\n```", "SyntaxError: invalid field (line 2)", typesRefused + " (line 2)"},
		{"a: string\n)", "SyntaxError: unexpected ) (line 2)", "SyntaxError: unexpected ) (line 2)"},
		{"const a = { b: c }}", "SyntaxError: unexpected } (line 1)", "SyntaxError: unexpected } (line 1)"},
		{"a: string", "SyntaxError: without a line", "SyntaxError: without a line"},
		{"a: string", "SyntaxError: (line x)", "SyntaxError: (line x)"},
		{"a: string", "SyntaxError: (line 99999999999999999999)", "SyntaxError: (line 99999999999999999999)"},
		{"a: string", "TypeError: a is null (line 1)", "TypeError: a is null (line 1)"},
		{"a < b", "ReferenceError: b is not defined (line 1)", "ReferenceError: b is not defined (line 1)"},
		{"a < Foo", "ReferenceError: a is not defined (line 1)", "ReferenceError: a is not defined (line 1)"},
	} {
		if got := Explain(c.code, c.words); got != c.want {
			t.Errorf("%q, %s: got %s, want %s", c.code, c.words, got, c.want)
		}
	}
}

func FuzzPrepare(f *testing.F) {
	for _, code := range []string{"async () => 1", "```js\nconst a = `${b}`\na / 2\n```", "if (a) b; else c\n{ a: 1 }", "const a: B = c as D", "for (;;) {}\n/a/.b", "import a from 'b'", ":0"} {
		f.Add(code)
	}
	f.Fuzz(func(t *testing.T, code string) {
		script, err := Prepare(code)
		if err != nil {
			return
		}
		if !strings.HasPrefix(script, opening) || !strings.HasSuffix(script, closing) {
			t.Errorf("got %q", script)
		}
		if got, want := lineEnds(script), lineEnds(withoutFence(code)+closing); got != want {
			t.Errorf("the script has %d line ends, and its code %d", got, want)
		}
		Explain(code, "SyntaxError: a (line 1)")
	})
}
