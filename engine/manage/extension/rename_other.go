//go:build !windows

package extension

import "os"

func rename(from, to string) error { return os.Rename(from, to) }

func patiently(move func() error) error { return move() }
