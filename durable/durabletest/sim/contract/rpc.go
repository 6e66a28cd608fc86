package contract

// RPC is the frame of a call of a method.
type RPC struct {
	Type   string `json:"type"`
	ID     string `json:"id"`
	Method string `json:"method"`
	Args   []any  `json:"args"`
}
