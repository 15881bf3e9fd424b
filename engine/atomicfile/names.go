package atomicfile

import (
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// ErrName means that Windows takes a name for a device, or for another name.
const ErrName = words.Code("file.bad_name")

// devices are names that mean a device in every folder, with any extension.
var devices = []string{"CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"}

// Misleads reports whether Windows would write something else than a file of this name: a device, or a file without
// the dots and spaces at the end.
func Misleads(goos, path string) bool {
	if goos != "windows" {
		return false
	}
	name := path[strings.LastIndexAny(path, `/\`)+1:]
	stem, _, _ := strings.Cut(name, ".")
	stem = strings.ToUpper(strings.TrimRight(stem, " "))
	port, numbered := strings.CutPrefix(stem, "COM")
	if !numbered {
		port, numbered = strings.CutPrefix(stem, "LPT")
	}
	number := numbered && slices.Contains([]string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "¹", "²", "³"}, port)
	return number || slices.Contains(devices, stem) || name != strings.TrimRight(name, ". ") ||
		strings.Contains(name, ":")
}
