package abi

import "github.com/tributary-agents/tributary/durable"

// EncodeCosts returns the bytes of a [Result] that has a row for each cost.
func EncodeCosts(costs []durable.Cost) []byte {
	var r Result
	for _, c := range costs {
		r.Rows = append(r.Rows, durable.Row{c.Path, c.Since, c.Statements, c.RowsRead, c.RowsWritten, c.Down, c.Up})
	}
	return r.Encode()
}

// DecodeCosts decodes the bytes of [EncodeCosts]. Its error wraps [ErrMalformed].
func DecodeCosts(data []byte) ([]durable.Cost, error) {
	r, err := DecodeResult(data)
	if err != nil {
		return nil, err
	}
	var costs []durable.Cost
	for _, row := range r.Rows {
		if len(row) != 7 {
			return nil, ErrMalformed
		}
		costs = append(costs, durable.Cost{
			Path: row.Text(0), Since: row.Int(1), Statements: row.Int(2),
			RowsRead: row.Int(3), RowsWritten: row.Int(4), Down: row.Int(5), Up: row.Int(6),
		})
	}
	return costs, nil
}
