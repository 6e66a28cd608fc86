// Package mcpclient keeps the servers of the Model Context Protocol whose tools an agent uses. A server is
// a row: there is no connection to it. It is asked what it offers when somebody needs that, and the
// answer is kept until it is old. Package mcp has the messages.
package mcpclient

import "github.com/tributary-agents/tributary/durable"

// Schema holds the servers, what they offer, the code that waits until one is ready, the tools of which
// it is noted what they said when they were first seen or last approved, and what nobody may see: headers
// and tokens. Its component is stored with each object, under the name that the package had first.
var Schema = durable.Schema{Component: "remote", Steps: tables, Parts: tables}

var tables = []string{
	`CREATE TABLE mcp_server (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL, url TEXT NOT NULL,
		declared INTEGER NOT NULL, state TEXT NOT NULL, failure TEXT NOT NULL, version TEXT NOT NULL, session TEXT NOT NULL,
		capabilities TEXT NOT NULL, instructions TEXT NOT NULL, hash TEXT NOT NULL, read_at INTEGER NOT NULL,
		stale_at INTEGER NOT NULL, tries INTEGER NOT NULL);
	CREATE TABLE mcp_catalogue (seq INTEGER PRIMARY KEY, body TEXT NOT NULL)`,
	`CREATE TABLE mcp_waiter (server TEXT NOT NULL, routine TEXT NOT NULL, position INTEGER NOT NULL, person INTEGER NOT NULL,
		PRIMARY KEY (server, routine, position)) WITHOUT ROWID`,
	`CREATE TABLE mcp_trusted (server TEXT NOT NULL, tool TEXT NOT NULL, digest TEXT NOT NULL, PRIMARY KEY (server, tool)) WITHOUT ROWID`,
	// Package inspection does not show this table.
	`CREATE TABLE mcp_secret (server TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (server, name)) WITHOUT ROWID`,
	// What a helper asks its root, and what it knows of the servers.
	`CREATE TABLE mcp_up (n INTEGER PRIMARY KEY AUTOINCREMENT, routine TEXT NOT NULL, position INTEGER NOT NULL, body TEXT NOT NULL, heard INTEGER NOT NULL DEFAULT 0)`,
	`CREATE TABLE mcp_shared (one INTEGER PRIMARY KEY, body TEXT NOT NULL)`,
	// The requests of helpers. One under way has a body, and one with a reply has still to be told.
	`CREATE TABLE mcp_below (id INTEGER PRIMARY KEY, token TEXT NOT NULL, n INTEGER NOT NULL, path TEXT NOT NULL, body TEXT NOT NULL,
		reply TEXT NOT NULL DEFAULT '', event TEXT NOT NULL DEFAULT '', asked INTEGER NOT NULL DEFAULT 0, round INTEGER NOT NULL DEFAULT 0,
		told INTEGER NOT NULL DEFAULT 0, again INTEGER NOT NULL DEFAULT 0, at INTEGER NOT NULL, UNIQUE (token, n))`,
}
