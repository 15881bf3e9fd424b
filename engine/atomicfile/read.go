package atomicfile

import (
	"io"
	"os"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// ErrTooLarge means that a file is larger than the limit.
const ErrTooLarge = words.Code("file.too_large")

// Read returns the contents of a file of no more than most bytes. Otherwise the error is [ErrIsFolder],
// [ErrNotAFile] or [ErrTooLarge].
func Read(path string, most int64) ([]byte, error) {
	// The path is checked before it is opened, since opening a pipe may block for ever.
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, ErrIsFolder
	case !info.Mode().IsRegular():
		return nil, ErrNotAFile
	case info.Size() > most:
		return nil, ErrTooLarge
	}
	file, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, most+1))
	if err == nil && int64(len(text)) > most { // the file has grown meanwhile
		return nil, ErrTooLarge
	}
	return text, err
}
