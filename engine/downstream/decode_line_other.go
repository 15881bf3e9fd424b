//go:build !windows

package downstream

// fromCodePage reports false: on this system, programs write UTF-8.
func fromCodePage([]byte) (string, bool) { return "", false }
