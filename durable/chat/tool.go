package chat

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/internal/claims"
	"github.com/tributary-agents/tributary/durable/internal/setting"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/model"
	"github.com/tributary-agents/tributary/durable/protocol"
)

// toolsOffered returns the tools in the form that the model is sent.
func (o *Object) toolsOffered(tx *durable.Tx) []model.Tool {
	var tools []model.Tool
	atHand := o.toolsAtHand(tx)
	for _, t := range atHand {
		if o.isForCodeOnly(tx, t.Name) {
			continue
		}
		if t.Describe != nil {
			t.Description = t.Describe(o.vars, atHand)
		}
		if !slices.ContainsFunc(tools, func(have model.Tool) bool { return have.Name == t.Name }) {
			tools = append(tools, model.Tool{Name: t.Name, Description: t.Description, Schema: t.Schema})
		}
	}
	return tools
}

// toolsAtHand returns the agent's tools, followed by those of its servers and of the browser.
func (o *Object) toolsAtHand(tx *durable.Tx) []agent.Tool {
	var tools []agent.Tool
	for _, t := range o.agent.Tools {
		if t.Enabled == nil || t.Enabled(o.vars) {
			tools = append(tools, t)
		}
	}
	return append(append(tools, o.serverTools(tx)...), browserTools(tx, o.forTurn())...)
}

func (o *Object) tool(tx *durable.Tx, name string) (agent.Tool, bool) {
	tools := o.toolsAtHand(tx)
	i := slices.IndexFunc(tools, func(t agent.Tool) bool { return t.Name == name })
	if i < 0 {
		return agent.Tool{}, false
	}
	return tools[i], true
}

// checkOutput says what is wrong with a tool's output.
func (o *Object) checkOutput(tx *durable.Tx, name string, output json.RawMessage) error {
	tool, _ := o.tool(tx, name)
	return o.fitsOutput(tool.Output, output)
}

// fitsOutput says what is wrong with an output that has to fit a schema, if it is not nil.
func (o *Object) fitsOutput(schema, output json.RawMessage) error {
	if len(output) > limit.Output {
		return fmt.Errorf("the tool returned %d bytes, at most %d", len(output), limit.Output)
	}
	if err := protocol.Check(output); err != nil {
		return fmt.Errorf("the tool returned no JSON that can be shown: %w", err)
	}
	if schema != nil {
		return o.schemas.Fit(schema, output)
	}
	return nil
}

// maxOffering is of how many people the tools of their browsers are kept. Those of who has offered some the
// longest ago are forgotten.
const maxOffering = 8

// offering are the tools that a person's browser has offered.
type offering struct {
	Person string                `json:"person"`
	Tools  []protocol.ClientTool `json:"tools"`
}

// keepBrowserTools stores the tools that a browser offers with a request. They are told in the turns of
// the same person alone. Tools of a person who is not known are told in no turn.
func keepBrowserTools(tx *durable.Tx, tools []protocol.ClientTool, by string) {
	if len(tools) == 0 {
		return
	}
	key, data := settingTools, limit.MustMarshal(tools)
	if by != "" {
		person := claims.Person(by)
		if person == "" {
			return
		}
		all := []offering{{person, tools}}
		for _, o := range offerings(tx) {
			if o.Person != person && len(all) < maxOffering {
				all = append(all, o)
			}
		}
		key, data = settingToolsOf, limit.MustMarshal(all)
	}
	if setting.Text(tx, key) != string(data) {
		setting.Set(tx, key, string(data))
	}
}

func offerings(tx *durable.Tx) (all []offering) {
	setting.Read(tx, settingToolsOf, &all)
	return all
}

// browserTools are the stored tools that run in the browser of a person, or in that of everybody where
// nobody signs in.
func browserTools(tx *durable.Tx, by string) []agent.Tool {
	var offered []protocol.ClientTool
	switch person := claims.Person(by); {
	case by == "":
		setting.Read(tx, settingTools, &offered)
	case person != "":
		for _, o := range offerings(tx) {
			if o.Person == person {
				offered = o.Tools
			}
		}
	}
	var tools []agent.Tool
	for _, t := range offered {
		tools = append(tools, agent.Tool{Name: t.Name, Description: t.Description, Schema: t.Parameters, Client: true})
	}
	return tools
}

// The rest of this file is about the ids of tool calls. An id finds the call's run, its question to a person
// and its part in a browser's list. It must be unique over all turns, also after its message was
// replaced. A provider's id is used if it is new: some providers count from zero in each answer. A
// helper never uses a provider's id, because a person answers the calls of all helpers at the root,
// by id alone.

// maxCallIDs is roughly how many ids of providers are remembered. With more of them, no id of a provider
// is used any more. They are counted for one id in checkedCallID of them, because counting reads them all.
const maxCallIDs, checkedCallID = 4_096, 64

// takeCallID records a provider's id, and says whether it can be used: no other call of the
// conversation has had it.
func (o *Object) takeCallID(tx *durable.Tx, id string) bool {
	if isCheckedCallID(id) && tx.Number(`SELECT COUNT(*) FROM call_id`) >= maxCallIDs {
		closeCallIDs(tx)
	}
	return !o.agent.Helper && limit.IsID(id, protocol.Limits.ID) &&
		len(tx.SQL(`INSERT INTO call_id (id) SELECT ? WHERE NOT EXISTS (SELECT 1 FROM call_id WHERE id = '')
			ON CONFLICT (id) DO NOTHING RETURNING id`, id)) > 0
}

// isCheckedCallID says whether the ids are counted before one is recorded.
func isCheckedCallID(id string) bool {
	h := uint32(2_166_136_261) // FNV-1a, whose lowest bits differ for ids that count
	for i := range len(id) {
		h = (h ^ uint32(id[i])) * 16_777_619
	}
	return h%checkedCallID == 0
}

// closeCallIDs replaces the ids of a conversation that was cleared, or has too many, by the empty id, which stands for
// all of them: from then on, no id of a provider is used. A page that stays open knows the runs of
// the calls that it has seen, and would drop the events of a new run with the id of an old one.
func closeCallIDs(tx *durable.Tx) {
	tx.SQL(`INSERT INTO call_id (id) SELECT '' FROM call_id LIMIT 1 ON CONFLICT (id) DO NOTHING`)
	tx.SQL(`DELETE FROM call_id WHERE id <> ''`)
}
