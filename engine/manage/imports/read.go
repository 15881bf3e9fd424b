package imports

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"unicode/utf8"

	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
)

// maxFile is how many bytes of a file are read. Claude Code's file, the largest, has a few MiB.
const maxFile = 8 << 20

const noSuchFile = "There is no such file."

// read returns what a file says, or why it cannot be read as a sentence for people.
func read(path string) (data []byte, problem string) {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		return nil, "It is not a file."
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
		return nil, fmt.Sprintf("The file is larger than %d MiB, so it was not read.", maxFile>>20)
	case !utf8.Valid(data):
		return nil, "The file is not UTF-8 text, so it was not read. Save it as UTF-8."
	}
	return data, ""
}

func unreadable(err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return noSuchFile
	case errors.Is(err, fs.ErrPermission):
		return "The file cannot be read: the system does not allow it."
	}
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err // the path is said beside it
	}
	return fmt.Sprintf("The file cannot be read: %v.", err)
}
