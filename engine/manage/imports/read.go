package imports

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"unicode/utf8"

	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// maxFile is how many bytes of a file are read. Claude Code's file, the largest, has a few MiB.
const maxFile = 8 << 20

const noSuchFile = words.Code("imports.no_such_file")

// read returns what a file says, or why it cannot be read.
func read(path string) (data []byte, problem words.Text) {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		return nil, words.New("imports.not_a_file")
	}
	var f *os.File
	if err == nil {
		f, err = atomicfile.Open(path)
	}
	if err != nil {
		return nil, unreadable(err)
	}
	defer f.Close()
	data, err = io.ReadAll(io.LimitReader(f, maxFile+1))
	switch {
	case err != nil:
		return nil, unreadable(err)
	case len(data) > maxFile:
		return nil, words.New("imports.larger_mib", "MiB", maxFile>>20)
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
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err // the path is said beside it
	}
	return words.New("imports.unreadable", "Why", err)
}
