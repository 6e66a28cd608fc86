package main

//go:wasmimport tributary_v4 script
func importScript(request string, room *byte, capacity uint32) uint32

// passMalformed gives the host bytes that are no request.
func passMalformed(request string) {
	var room [64]byte
	importScript(request, &room[0], uint32(len(room)))
}
