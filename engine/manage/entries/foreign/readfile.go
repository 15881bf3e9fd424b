package foreign

import (
	"errors"
	"unicode/utf8"

	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// ReadFile reads a file in which servers are searched. It returns an error for a file larger than [MaxSize], for text
// in another encoding than UTF-8, and for anything but a regular file: reading a pipe or a device may never end.
func ReadFile(path string) (string, error) {
	text, err := atomicfile.Read(path, MaxSize)
	if errors.Is(err, atomicfile.ErrTooLarge) {
		err = words.NewError("foreign.too_large").Because(err)
	}
	if err == nil && !utf8.Valid(text) {
		err = words.NewError("imports.not_utf8")
	}
	return string(text), err
}
