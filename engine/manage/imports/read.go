package imports

import (
	"errors"
	"io/fs"
	"unicode/utf8"

	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
	"github.com/workbench-mcp/workbench-desktop/engine/paths"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// maxFile is the largest file that is read, in bytes. Claude Code's file, the largest, has a few MiB.
const maxFile = 8 << 20

const noSuchFile = words.Code("imports.no_such_file")

// read returns the content of a file, or why it cannot be read.
func read(path string) (data []byte, problem words.Text) {
	data, err := atomicfile.Read(path, maxFile)
	switch {
	case errors.Is(err, atomicfile.ErrIsFolder), errors.Is(err, atomicfile.ErrNotAFile):
		return nil, words.New("imports.not_a_file")
	case errors.Is(err, atomicfile.ErrTooLarge):
		return nil, words.New("imports.larger_mib", "MiB", maxFile>>20)
	case err != nil:
		return nil, unreadable(err)
	case !utf8.Valid(data):
		return nil, words.New("imports.not_utf8")
	}
	return data, words.Text{}
}

func unreadable(err error) words.Text {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return noSuchFile.Text()
	case errors.Is(err, fs.ErrPermission):
		return words.New("imports.not_allowed")
	}
	return words.New("imports.unreadable", "Why", paths.Cause(err)) // the path is shown beside it
}
