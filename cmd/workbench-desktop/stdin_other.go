//go:build !unix

package main

import "io"

// polled returns in: Windows waits for it in another way.
func polled(in io.Reader) (_ io.Reader, restore func()) { return in, func() {} }
