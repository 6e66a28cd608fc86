package chat_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
)

// TestLongMessagesAreInNoKey checks that a long message is in none of the trees that are searched
// by ids: SQLite reads the whole of a key that it compares. With four messages of 1.1 MB, a list of
// 9,999 other messages took ten seconds.
func TestLongMessagesAreInNoKey(t *testing.T) {
	r := roomOf(t)
	r.step(durable.Opened{Name: "room"})
	r.step(durable.SocketOpened{Conn: "a", URL: "/agents/x/room?_pk=a"})
	body := fmt.Sprintf(`{\"messages\":[{\"id\":\"u\",\"role\":\"user\",\"parts\":[{\"type\":\"text\",\"text\":\"chunks=1 %s\"}]}]}`, strings.Repeat("b", 1<<20))
	r.step(durable.SocketMessage{Conn: "a", Text: `{"type":"cf_agent_use_chat_request","id":"R","init":{"method":"POST","body":"` + body + `"}}`})
	if stored := rowsOf(t, r.m.SQLite, `SELECT octet_length(body) > 1 << 20 FROM message WHERE id = 'u'`); len(stored) != 1 || !stored[0].Bool(0) {
		t.Fatalf("the question is not stored: %v", stored)
	}
	const longKeys = `SELECT DISTINCT name FROM dbstat JOIN sqlite_schema AS s USING (name)
		WHERE pagetype = 'overflow' AND (s.type = 'index' OR s.sql LIKE '%WITHOUT ROWID')`
	for _, row := range rowsOf(t, r.m.SQLite, longKeys) {
		t.Errorf("%s holds what does not fit into a page", row.Text(0))
	}
}

func rowsOf(t *testing.T, db *durabletest.SQLite, statement string) []durable.Row {
	t.Helper()
	rows, err := db.SQL(statement, nil)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}
