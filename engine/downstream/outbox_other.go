//go:build !unix

package downstream

import "io"

// directWriter does nothing on systems where a write to a pipe cannot be made without blocking.
type directWriter struct{}

func newDirectWriter(io.Writer) *directWriter { return &directWriter{} }

func (d *directWriter) tryWrite([]byte) int { return 0 }
