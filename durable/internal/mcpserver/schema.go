package mcpserver

import "github.com/tributary-agents/tributary/durable"

// Schema is the tables of the calls that have not been answered in the event that brought them, of the
// sessions of legacy clients, and of the tools that clients were told last. A call has the claims that it works for, and the digest of
// its request. turn is a negative number in place of that of a turn, under which its runs begin.
var Schema = durable.Schema{Component: "mcp", Steps: []string{
	`CREATE TABLE mcp_call (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, turn INTEGER NOT NULL, method TEXT NOT NULL, name TEXT NOT NULL, input TEXT NOT NULL,
		digest TEXT NOT NULL, claims TEXT NOT NULL, client TEXT NOT NULL, kind TEXT NOT NULL, state TEXT NOT NULL,
		round INTEGER NOT NULL, lost INTEGER NOT NULL, created INTEGER NOT NULL, updated INTEGER NOT NULL, expires INTEGER NOT NULL,
		message TEXT NOT NULL, asked TEXT NOT NULL, result TEXT NOT NULL)`,
	`CREATE TABLE mcp_key (one INTEGER PRIMARY KEY CHECK (one = 1), key BLOB NOT NULL)`,
	`CREATE TABLE mcp_session (id TEXT PRIMARY KEY, claims TEXT NOT NULL, client TEXT NOT NULL, level TEXT NOT NULL, watched TEXT NOT NULL,
		tools TEXT NOT NULL, seen INTEGER NOT NULL) WITHOUT ROWID`,
	`CREATE TABLE mcp_tools (one INTEGER PRIMARY KEY CHECK (one = 1), digest TEXT NOT NULL, changed INTEGER NOT NULL)`,
	`ALTER TABLE mcp_call ADD COLUMN told INTEGER NOT NULL DEFAULT 0`,
	`ALTER TABLE mcp_call ADD COLUMN ticket TEXT NOT NULL DEFAULT ''`,
	`DROP TABLE mcp_key`,
}, Parts: []string{
	`CREATE TABLE mcp_call (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, turn INTEGER NOT NULL, method TEXT NOT NULL, name TEXT NOT NULL, input TEXT NOT NULL,
		digest TEXT NOT NULL, claims TEXT NOT NULL, client TEXT NOT NULL, kind TEXT NOT NULL, state TEXT NOT NULL,
		round INTEGER NOT NULL, lost INTEGER NOT NULL, created INTEGER NOT NULL, updated INTEGER NOT NULL, expires INTEGER NOT NULL,
		message TEXT NOT NULL, asked TEXT NOT NULL, result TEXT NOT NULL, told INTEGER NOT NULL DEFAULT 0, ticket TEXT NOT NULL DEFAULT '')`,
	`CREATE TABLE mcp_session (id TEXT PRIMARY KEY, claims TEXT NOT NULL, client TEXT NOT NULL, level TEXT NOT NULL, watched TEXT NOT NULL,
		tools TEXT NOT NULL, seen INTEGER NOT NULL) WITHOUT ROWID`,
	`CREATE TABLE mcp_tools (one INTEGER PRIMARY KEY CHECK (one = 1), digest TEXT NOT NULL, changed INTEGER NOT NULL)`,
}}
