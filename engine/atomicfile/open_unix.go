//go:build unix

package atomicfile

import "os"

// Open opens a file for reading. Other programs may replace or delete it meanwhile.
func Open(path string) (*os.File, error) { return os.Open(path) }
