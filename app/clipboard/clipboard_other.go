//go:build !linux

// Package clipboard finds out whether the clipboard can be read.
package clipboard

// Answers returns true: only in X does a text that was copied stay in the program that it was copied in.
func Answers(uintptr) bool { return true }
