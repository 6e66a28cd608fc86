package chat

import "github.com/tributary-agents/tributary/durable"

// Schemas are the tables of a conversation.
var Schemas = schemas

// MakeTables makes all tables of a conversation, for tests that fill or read them.
func MakeTables(storage durable.Storage) {
	durable.Migrate(durable.NewTx(0, storage, nil), schemas...)
}
