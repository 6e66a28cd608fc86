package task

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/setting"
)

// Token returns a name of this helper that no other helper has. It is a part of the names of the
// runs that the root hosts for it.
func Token(tx *durable.Tx) string {
	token := setting.Text(tx, settingToken)
	if token == "" {
		token = tx.NewID()
		setting.Set(tx, settingToken, token)
	}
	return token
}

// HasToken says whether this object has a token: it is a helper that has asked its root for something.
func HasToken(tx *durable.Tx) bool { return setting.Text(tx, settingToken) != "" }

// IsStale says whether this helper belongs to another use of its slot than the request of its
// parent. Such a helper should have been wiped. A new helper takes the generation of the first
// request that it gets. A helper that began before generations existed has generation 0.
func IsStale(tx *durable.Tx, generation int64) bool {
	var own int64
	if !setting.Read(tx, settingGeneration, &own) && len(tx.SQL(`SELECT 1 FROM task LIMIT 1`)) == 0 {
		own = generation
		setting.Write(tx, settingGeneration, own)
	}
	return own != generation
}
