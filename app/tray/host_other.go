//go:build !(linux || freebsd || openbsd || netbsd)

package tray

import "context"

// Host is the part of the desktop that shows tray icons, which this one always has.
type Host struct{}

// NewHost returns the tray of this desktop. It does not fail.
func NewHost(func(string) string) (*Host, error) { return &Host{}, nil }

// Present reports whether there is a tray.
func (h *Host) Present() bool { return true }

// Await reports whether there is a tray.
func (h *Host) Await(context.Context) bool { return true }

// Close does nothing.
func (h *Host) Close() error { return nil }
