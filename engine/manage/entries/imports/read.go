package imports

import (
	"errors"
	"io/fs"
	"unicode/utf8"

	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
	"github.com/workbench-mcp/workbench-desktop/engine/client"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/excerpt"
	"github.com/workbench-mcp/workbench-desktop/engine/paths"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

const noSuchFile = words.Code("imports.no_such_file")

// read returns the content of a file, or why it cannot be read. Of a large JSON file, long values without servers are
// left out.
func (s source) read() (file *excerpt.File, problem words.Text) {
	file, err := excerpt.Read(s.path, s.keep())
	var wrong *excerpt.SyntaxError
	switch {
	case errors.As(err, &wrong):
		return nil, words.New("foreign.unreadable_at", "Line", wrong.Line, "Column", wrong.Column, "Why", words.Text{})
	case errors.Is(err, atomicfile.ErrIsFolder), errors.Is(err, atomicfile.ErrNotAFile):
		return nil, words.New("imports.not_a_file")
	case errors.Is(err, atomicfile.ErrTooLarge):
		return nil, words.New("imports.unreadable", "Why", words.New("clients.too_large", "Megabytes", excerpt.MaxText>>20))
	case err != nil:
		return nil, unreadable(err)
	case !utf8.Valid(file.Text):
		return nil, words.New("imports.not_utf8")
	}
	return file, words.Text{}
}

// keep returns the paths of the values that are never left out.
func (s source) keep() [][]string {
	if s.format == client.TOML || s.format == client.YAML {
		return nil
	}
	keep := [][]string{{"inputs"}}
	for _, key := range s.keys {
		keep = append(keep, key, append([]string{"projects", "*"}, key...))
	}
	return keep
}

func unreadable(err error) words.Text {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return noSuchFile.Text()
	case errors.Is(err, fs.ErrPermission) && !paths.Withheld(err):
		return words.New("imports.not_allowed")
	}
	return words.New("imports.unreadable", "Why", paths.Cause(err)) // the path is shown beside it
}
