//go:build !(linux || freebsd || openbsd || netbsd)

package tray

import "context"

// Host is the part of the desktop that shows tray icons. This system always has one.
type Host struct{}

// NewHost returns a Host. It never fails.
func NewHost(func(string) string) (*Host, error) { return &Host{}, nil }

// Present returns true.
func (h *Host) Present() bool { return true }

// Await returns true at once.
func (h *Host) Await(context.Context) bool { return true }

// Close does nothing.
func (h *Host) Close() error { return nil }
