package mcpclient

import (
	"encoding/json"
	"slices"

	"github.com/tributary-agents/tributary/durable"
)

// This file reads and writes the rows of servers.

// load reads the rows, and compares them with the servers that the author names. A deployment may name
// others than before.
func (r *Servers) load(tx *durable.Tx) {
	if r.loaded {
		return
	}
	r.loaded = true
	if r.config.OfRoot {
		r.loadShared(tx)
		return
	}
	stored := read(tx)
	for _, d := range r.config.Declared {
		i := slices.IndexFunc(stored, func(s *Server) bool { return s.ID == d.Name && s.Declared })
		if i < 0 || stored[i].URL != d.URL {
			r.list = append(r.list, &Server{ID: d.Name, Name: d.Name, URL: d.URL, Declared: true, State: NotConnected})
			continue
		}
		r.list = append(r.list, stored[i])
	}
	for _, s := range stored {
		if !s.Declared {
			s.Name = r.apart(s.Name)
			r.list = append(r.list, s)
		} else if !slices.Contains(r.list, s) {
			s.delete(tx)
		}
	}
}

// read returns the stored servers. What a damaged row offers is not known.
func read(tx *durable.Tx) (list []*Server) {
	for _, row := range tx.SQL(`SELECT mcp_server.seq, id, name, url, declared, state, failure, version, session, capabilities, instructions,
		hash, read_at, stale_at, tries, body FROM mcp_server LEFT JOIN mcp_catalogue ON mcp_catalogue.seq = mcp_server.seq ORDER BY mcp_server.seq`) {
		s := &Server{
			seq: row.Int(0), ID: row.Text(1), Name: row.Text(2), URL: row.Text(3), Declared: row.Bool(4), State: State(row.Text(5)),
			Failure: row.Text(6), Version: row.Text(7), Session: row.Text(8), Capabilities: string(row.JSON(9)), Instructions: row.Text(10),
			Hash: row.Text(11), ReadAt: row.Int(12), StaleAt: row.Int(13), tries: row.Int(14),
		}
		if body := row.JSON(15); body == nil || json.Unmarshal(body, &s.Offer) != nil {
			s.Offer, s.ReadAt = Offer{}, 0
		}
		list = append(list, s)
	}
	return list
}

// Save stores a server. What it offers is stored by [Server.saveOffer].
func (s *Server) Save(tx *durable.Tx) {
	if s.shared {
		return
	}
	for _, row := range tx.SQL(`INSERT INTO mcp_server (id, name, url, declared, state, failure, version, session, capabilities, instructions, hash, read_at, stale_at, tries)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET name = excluded.name, url = excluded.url,
		state = excluded.state, failure = excluded.failure, version = excluded.version, session = excluded.session,
		capabilities = excluded.capabilities, instructions = excluded.instructions, hash = excluded.hash, read_at = excluded.read_at,
		stale_at = excluded.stale_at, tries = excluded.tries RETURNING seq`,
		s.ID, s.Name, s.URL, s.Declared, string(s.State), s.Failure, s.Version, s.Session, s.Capabilities, s.Instructions, s.Hash, s.ReadAt, s.StaleAt, s.tries) {
		s.seq = row.Int(0)
	}
}

func (s *Server) saveOffer(tx *durable.Tx, body []byte) {
	tx.SQL(`INSERT INTO mcp_catalogue (seq, body) VALUES (?, ?) ON CONFLICT (seq) DO UPDATE SET body = excluded.body`, s.seq, string(body))
}

// delete deletes all that is stored of a server.
func (s *Server) delete(tx *durable.Tx) {
	tx.SQL(`DELETE FROM mcp_catalogue WHERE seq = ?`, s.seq)
	tx.SQL(`DELETE FROM mcp_server WHERE id = ?`, s.ID)
	tx.SQL(`DELETE FROM mcp_trusted WHERE server = ?`, s.ID)
	tx.SQL(`DELETE FROM mcp_secret WHERE server = ?`, s.ID)
}
