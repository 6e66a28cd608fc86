package code

import "github.com/tributary-agents/tributary/durable/durabletest/sim/dice"

// ends are how programs end.
var ends = dice.Options{{"returns", 30}, {"throws", 4}, {"spins", 1}, {"grows", 1}, {"recurs", 1}, {"waits", 1}, {"cycle", 1}, {"large", 2}, {"many", 1}, {"toils", 1}}

// finish writes the end of a program.
func (w *writer) finish() {
	switch w.Pick(ends) {
	case "throws":
		word := w.Word()
		w.failWith("RangeError: no "+word+" (line "+quoted(w.line())+")", "throw new RangeError('no %s')", word)
	case "spins":
		w.failWith("a loop without an end", "for (;;) {}")
	case "grows":
		w.failWith("more memory than it may use", "for (const a = [];;) a.push(new Uint8Array(500_000))")
	case "recurs":
		w.failWith("calls itself too deep", "const f = n => f(n + 1) + 1; f(0)")
	case "waits":
		w.failWith("waits for something that nobody brings", "await new Promise(() => 0)")
	case "cycle":
		w.failWith("the result is no JSON", "out.push(out); return out")
	case "large":
		w.end = large
		w.write("for (let n = 0; n < 30; n++) out.push(String(n).repeat(1000)); return out")
	case "toils":
		w.failWith("has done all the work that it may do", "for (;;) { for (let n = 0; n < 20_000; n++); await search('%s') }", w.Word())
	case "many":
		w.failWith("and may make no more", "for (;;) await search('%s')", w.Word())
	default:
		w.write("return out")
	}
}

func (w *writer) failWith(words, format string, args ...any) {
	w.end, w.words = fails, words
	w.write(format, args...)
}

// breaks makes the program one that no engine runs.
func (w *writer) breaks() {
	w.end = fails
	text := []struct{ code, words string }{
		{"const n: number = 1\nreturn n", "write JavaScript without types (line 1)"},
		{"return (1 +", "SyntaxError"},
		{"const a = 1\nconst a = 2\nreturn a", "SyntaxError"},
		{"", "there is no code"},
		{"return nowhere." + w.Word(), "ReferenceError"},
		{"return fetch('http://model.test')", "ReferenceError"},
		{"return (async () => {}).constructor('return fetch')()", "ReferenceError"},
	}[w.Under(7)]
	w.Text, w.words = text.code, text.words
}

// attack breaks what the engine and the program are made of.
func (w *writer) attack() {
	if w.Chance(2) {
		w.write("JSON.stringify = JSON.parse = Map.prototype.get = Reflect.apply = () => 'no'; try { tools.x = search.y = 1; console.log = 1 } catch {}")
		return
	}
	w.wild = true
	w.write("%s", []string{
		"Object.prototype.toJSON = () => 'no'",
		"Array.prototype.push = () => 0",
		"Promise.prototype.then = () => 'no'",
		"globalThis.Promise = null",
		"Object.defineProperty(Object.prototype, 'then', { get() { return f => f('no') } })",
		"Error.prototype.toString = () => { throw 1 }; Object.defineProperty(Error.prototype, 'message', { get() { throw 2 } })",
		"for (const name of Object.getOwnPropertyNames(globalThis)) try { delete globalThis[name] } catch {}",
		"for (const of of [Object, Array, Promise, Map, String, Error]) for (const name of Object.getOwnPropertyNames(of.prototype)) try { of.prototype[name] = () => 'no' } catch {}",
	}[w.Under(8)])
}
