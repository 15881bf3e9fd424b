//go:build !linux

package process

import "os"

// WidenPipe does nothing: other systems determine the size of pipes themselves.
func WidenPipe(*os.File) {}
