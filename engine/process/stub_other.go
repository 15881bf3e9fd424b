//go:build !windows

package process

import "runtime"

// checkStub returns an error if a program is only a stub, which offers to install what it is named after.
func checkStub(path string, env []string) error {
	if runtime.GOOS == "darwin" {
		return appleStubs{"/"}.check(path, env)
	}
	return nil
}
