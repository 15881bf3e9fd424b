//go:build !windows

package process

import "runtime"

// placeholder returns an error if a program is only a stub, which offers to install what it is named after.
func placeholder(path string, env []string) error {
	if runtime.GOOS == "darwin" {
		return appleStubs{"/"}.empty(path, env)
	}
	return nil
}
