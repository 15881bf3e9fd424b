//go:build !windows

package downstream

// fromCodePage decodes nothing: programs of this system write UTF-8.
func fromCodePage([]byte) (string, bool) { return "", false }
