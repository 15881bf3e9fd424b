//go:build !linux

package task

// forgetCode does nothing on this system.
func forgetCode() {}
