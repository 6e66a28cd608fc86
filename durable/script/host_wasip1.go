package script

// The module's name is that of the ABI, see wasm/abi. A module that runs no script does not import
// this function. A result that does not fit into the room is kept by the host, which hands it out to
// a call without a request.
//
//go:wasmimport tributary_v4 script
func importScript(request string, room *byte, capacity uint32) uint32

// leastRoom is large enough for most results.
const leastRoom = 16 << 10

func call(request []byte) []byte {
	room := make([]byte, leastRoom)
	n := importScript(string(request), &room[0], uint32(len(room)))
	if int(n) > len(room) {
		room = make([]byte, n)
		if got := importScript("", &room[0], n); got != n {
			panic("script: the host has announced another result than it has handed out")
		}
	}
	return room[:n]
}

// boxes is how many boxes the instance has used.
var boxes int64

// NextBox returns a number for a box, which the instance has not used before.
func NextBox() int64 {
	boxes++
	return boxes
}
