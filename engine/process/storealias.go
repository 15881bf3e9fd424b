package process

import (
	"encoding/binary"
	"path/filepath"
	"strings"
	"unicode/utf16"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// The Microsoft Store puts aliases for its programs into a folder of Path: files of 0 bytes with reparse data that
// names the program. Windows itself comes with such aliases for Python, whose program only opens the Store.

// storeAlias is what the reparse data of an alias names.
type storeAlias struct{ family, program string }

// installer is the package that the stubs belong to, with winget, which is none.
const installer = "microsoft.desktopappinstaller_"

// isStub reports whether a file with this alias only offers to install what it is named after.
func (a storeAlias) isStub(path string) bool {
	base := func(p string) string { return strings.ToLower(p[strings.LastIndexAny(p, `/\`)+1:]) }
	return strings.HasPrefix(strings.ToLower(a.family), installer) && base(a.program) != base(filepath.Clean(path))
}

// appExecLink is the tag of the reparse data of an alias.
const appExecLink = 0x8000001b

// parseStoreAlias reads reparse data: a tag, a length, and then a version and texts with zeros between them: the
// family of the package, the id of the app, the path of the program.
func parseStoreAlias(data []byte) (alias storeAlias, ok bool) {
	if len(data) < 12 || binary.LittleEndian.Uint32(data) != appExecLink {
		return alias, false
	}
	data = data[8:min(len(data), 8+int(binary.LittleEndian.Uint16(data[4:])))]
	if len(data) < 4 {
		return alias, false
	}
	var units []uint16
	for data = data[4:]; len(data) > 1; data = data[2:] {
		units = append(units, binary.LittleEndian.Uint16(data))
	}
	texts := strings.Split(string(utf16.Decode(units)), "\x00")
	if len(texts) < 3 {
		return alias, false
	}
	return storeAlias{texts[0], texts[2]}, true
}

// storeStub returns the error for a stub.
func storeStub(path string) error {
	return words.NewError("process.store_placeholder", "Command", Name(path), "Path", path).Because(ErrNotFound)
}
