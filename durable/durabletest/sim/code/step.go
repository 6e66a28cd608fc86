package code

import (
	"fmt"
	"strings"

	"github.com/tributary-agents/tributary/durable/durabletest/sim/dice"
)

// kinds are the kinds of steps, with their weights.
var kinds = dice.Options{
	{"bare", 4},
	{"caught", 6},
	{"loop", 2},
	{"together", 4},
	{"settled", 5},
	{"chains", 3},
	{"race", 3},
	{"left", 1},
	{"late", 3},
	{"chance", 3},
	{"time", 3},
	{"sleep", 2},
	{"look", 2},
	{"absent", 2},
	{"misfit", 2},
	{"log", 3},
}

// step adds a step.
func (w *writer) step() {
	k := w.Pick(kinds)
	if w.calls > mostSites {
		k = "log"
	}
	switch k {
	case "bare":
		s := w.site()
		w.add(bare, s)
		w.write("out.push(await %s)", s.js(""))
	case "caught":
		w.catch(w.site(), "")
	case "loop":
		sites := w.sites(2, 2)
		w.add(caught, sites...)
		w.write("for (const f of %s) try { out.push(await f()) } catch (e) { out.push(e.message) }", functions(sites))
	case "together":
		sites := w.sites(2, 3)
		w.add(together, sites...)
		w.write("out.push(await Promise.all(%s))", list(sites))
	case "settled":
		sites := w.sites(2, 3)
		w.add(settled, sites...)
		w.write("out.push((await Promise.allSettled(%s)).map(r => r.status === 'fulfilled' ? r.value : r.reason.message))", list(sites))
	case "chains":
		w.chains()
	case "race":
		sites := w.sites(2, 2)
		w.add(race, sites...)
		w.write("try { out.push(await Promise.race(%s)) } catch (e) { out.push(e.message) }", list(sites))
	case "left":
		s := w.site()
		w.add(left, s)
		w.write("%s.catch(() => 0)", s.js(""))
	case "late":
		w.late()
	case "chance", "time":
		s := w.site()
		s.open = true
		w.catch(s, map[string]string{"chance": "Math.random()", "time": "Date.now()"}[k])
	default:
		w.small(k)
	}
}

// catch makes a call whose failure is caught.
func (w *writer) catch(s site, more string) {
	w.add(caught, s)
	w.write("try { out.push(await %s) } catch (e) { out.push(e.message) }", s.js(more))
}

// chains makes calls side by side, each of which is followed by another one.
func (w *writer) chains() {
	first, second := w.sites(2, 2), []string{}
	all := []site{}
	for _, s := range first {
		next := w.site()
		all = append(all, s, next)
		second = append(second, fmt.Sprintf("[() => %s, () => %s]", s.js(""), next.js("")))
	}
	w.add(settled, all...)
	w.write("out.push((await Promise.all([%s].map(async ([f, g]) => [await f().catch(e => e.message), await g().catch(e => e.message)]))).flat())", strings.Join(second, ", "))
}

// late begins a call, makes another one, and then waits for the first.
func (w *writer) late() {
	s, name := w.site(), w.name()
	w.write("const %s = %s.catch(e => e.message)", name, s.js(""))
	w.catch(w.site(), "")
	w.add(caught, s)
	w.write("out.push(await %s)", name)
}

// small adds a step that calls no tool.
func (w *writer) small(k string) {
	switch k {
	case "sleep":
		name, ms := w.name(), 1+w.Under(4_000)
		w.write("const %s = Date.now(); await sleep(%d)", name, ms)
		w.add(pause)
		w.steps[len(w.steps)-1].ms = ms
		w.write("out.push(Date.now() - %s)", name)
	case "look":
		w.add(truth)
		w.write("out.push((await search('%s')).length >= 0 && (await help('%s')).includes('%s'))", w.Word(), w.tools[0].Name, w.tools[0].Name)
	case "absent":
		w.add(absent)
		w.write("try { out.push(await tools.%s({})) } catch (e) { out.push(e.message) }", w.Word())
	case "misfit":
		w.add(truth)
		w.write("out.push(await tools.%s({ %s: 5 }).then(() => false, () => true))", w.tools[w.Under(len(w.tools))].Name, w.Word())
	case "log":
		w.logs = append(w.logs, w.Word())
		w.write("console.log(%s)", quoted(w.logs[len(w.logs)-1]))
	}
}

func list(sites []site) string {
	var all []string
	for _, s := range sites {
		all = append(all, s.js(""))
	}
	return "[" + strings.Join(all, ", ") + "]"
}

func functions(sites []site) string {
	var all []string
	for _, s := range sites {
		all = append(all, "() => "+s.js(""))
	}
	return "[" + strings.Join(all, ", ") + "]"
}
