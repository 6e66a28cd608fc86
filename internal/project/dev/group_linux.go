package dev

import "syscall"

// endWithParent has a command ended when this process is killed, and can end nothing itself.
func endWithParent(attributes *syscall.SysProcAttr) { attributes.Pdeathsig = syscall.SIGTERM }
