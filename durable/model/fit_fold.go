package model

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// This file folds the alternatives at the top of a schema into one object.

// maxFolds bounds how deep alternatives are nested that are folded.
const maxFolds = 8

// fold replaces what must not be at the top by the properties of all alternatives. A property is required that every
// alternative requires.
func (f *fitting) fold(s map[string]any, depth int) {
	for _, word := range []string{"allOf", "anyOf", "oneOf"} {
		value, has := s[word]
		if !has {
			continue
		}
		delete(s, word)
		f.folded = true
		f.note(word + " at the top is folded into one object")
		branches, _ := value.([]any)
		f.merge(s, branches, word == "allOf", depth)
	}
	if _, has := s["if"]; has {
		f.note("a condition at the top is folded into one object")
		f.merge(s, []any{s["then"], s["else"], map[string]any{}}, false, depth)
	}
	for _, word := range []string{"if", "then", "else", "not", "enum", "const"} {
		if _, has := s[word]; has {
			delete(s, word)
			f.note(word + " at the top is left out")
		}
	}
}

// merge adds the properties of branches, which all apply, or of which one does.
func (f *fitting) merge(s map[string]any, branches []any, all bool, depth int) {
	if depth >= maxFolds {
		return
	}
	var common, groups []string
	for i, branch := range branches {
		if !f.spend(1) {
			return
		}
		b, ok := branch.(map[string]any)
		if !ok || !isObjectType(b["type"]) {
			continue
		}
		b = f.resolved(b, depth)
		f.fold(b, depth+1)
		f.addProperties(s, b)
		need := texts(b["required"])
		f.spend(len(need))
		switch {
		case all:
			require(s, need)
			continue
		case i == 0:
			common = need
		default:
			common = f.both(common, need)
		}
		if len(need) > 0 {
			groups = append(groups, strings.Join(need, " and "))
		}
	}
	require(s, common)
	if len(groups) > 1 {
		said, _ := s["description"].(string)
		s["description"] = strings.TrimSpace(said + " Give one of: " + strings.Join(slices.Compact(groups), "; or ") + ".")
	}
}

// both returns the names of the first list that are in the second one too.
func (f *fitting) both(list, other []string) []string {
	f.spend(len(list))
	has := map[string]bool{}
	for _, name := range other {
		has[name] = true
	}
	return slices.DeleteFunc(list, func(name string) bool { return !has[name] })
}

// addProperties adds the properties of a branch. One that two branches have can be what either says.
func (f *fitting) addProperties(s, branch map[string]any) {
	have, _ := s["properties"].(map[string]any)
	f.spend(len(have))
	merged := map[string]any{}
	for name, schema := range have {
		merged[name] = schema
	}
	added, _ := branch["properties"].(map[string]any)
	for name, schema := range added {
		if !f.spend(1) {
			return
		}
		if before, has := merged[name]; has && !f.sameJSON(before, schema) {
			schema = map[string]any{"anyOf": []any{before, schema}}
		}
		merged[name] = schema
	}
	s["properties"] = merged
}

// comparedBytes is how much JSON is made for one step.
const comparedBytes = 8

// sameJSON compares two values by their JSON, which has the names of an object in order. reflect.DeepEqual would take 40 kB
// of a module.
func (f *fitting) sameJSON(a, b any) bool {
	x, _ := json.Marshal(a)
	y, _ := json.Marshal(b)
	f.spend((len(x) + len(y)) / comparedBytes)
	return bytes.Equal(x, y)
}

// require adds names to those that are required.
func require(s map[string]any, names []string) {
	var list []any
	seen := map[string]bool{}
	for _, name := range append(texts(s["required"]), names...) {
		if !seen[name] {
			seen[name] = true
			list = append(list, name)
		}
	}
	if list != nil {
		s["required"] = list
	}
}

// texts returns the texts of a list.
func texts(value any) (list []string) {
	items, _ := value.([]any)
	for _, item := range items {
		if text, ok := item.(string); ok {
			list = append(list, text)
		}
	}
	return list
}
