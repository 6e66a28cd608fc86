package dev

import (
	"fmt"
	"net"
	"strconv"
)

// findPort returns a port of a host that is free: the one that is given, and any for 0.
func findPort(host string, port int) (int, error) {
	listener, err := net.Listen("tcp", net.JoinHostPort(host, strconv.Itoa(port)))
	if err != nil {
		return 0, fmt.Errorf("port %d is taken or not allowed: choose another with -port (%w)", port, err)
	}
	free := listener.Addr().(*net.TCPAddr).Port
	return free, listener.Close()
}
