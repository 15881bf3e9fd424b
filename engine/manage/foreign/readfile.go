package foreign

import (
	"errors"

	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// ReadFile reads a file to search it for servers. A file larger than [MaxSize] is an error, and so is anything
// but a regular file: reading a pipe or a device may never end.
func ReadFile(path string) (string, error) {
	text, err := atomicfile.Read(path, MaxSize)
	if errors.Is(err, atomicfile.ErrTooLarge) {
		err = words.NewError("foreign.too_large").Because(err)
	}
	return string(text), err
}
