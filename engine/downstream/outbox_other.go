//go:build !unix

package downstream

import "io"

// directWriter does nothing on systems without writes to a pipe that do not block.
type directWriter struct{}

func newDirectWriter(io.Writer) *directWriter { return &directWriter{} }

func (d *directWriter) tryWrite([]byte) int { return 0 }
