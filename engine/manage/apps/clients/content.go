package clients

import (
	"errors"
	"io/fs"

	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
	"github.com/workbench-mcp/workbench-desktop/engine/client"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/excerpt"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Content reads a client's file; nil if it does not exist. Long values of a large file are left out, except those that
// have servers. Errors about the content are [ErrUnreadable].
func (c Client) Content(path string) (*excerpt.File, error) {
	if _, err := atomicfile.FollowLinks(path); err != nil {
		return nil, err
	}
	file, err := excerpt.Read(path, c.keep())
	var wrong *excerpt.SyntaxError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case errors.Is(err, atomicfile.ErrTooLarge):
		return nil, tooLarge()
	case errors.As(err, &wrong):
		return nil, unreadable(words.New("clients.not_json", "Line", wrong.Line, "Column", wrong.Column, "Why",
			words.Text{}))
	}
	return file, err
}

// keep returns the paths of the values in the client's file that are never left out.
func (c Client) keep() [][]string {
	if c.Format != client.JSON && c.Format != client.JSONC {
		return nil
	}
	keep := [][]string{c.Key, {"inputs"}}
	if c.Projects != "" {
		keep = append(keep, append([]string{c.Projects, "*"}, c.Key...))
	}
	return keep
}

// textOf returns the text of a file; nil if there is no file.
func textOf(file *excerpt.File) []byte {
	switch {
	case file == nil:
		return nil
	case file.Text == nil:
		return []byte{}
	}
	return file.Text
}

// sumOf returns the checksum of a file; "" if there is no file.
func sumOf(file *excerpt.File) string {
	if file == nil {
		return ""
	}
	return file.Sum()
}

// sum returns the checksum that the file has after the change.
func (c Change) sum() (string, error) {
	if c.file == nil {
		return excerpt.Sum(c.After), nil
	}
	return c.file.SumWith(c.File, c.After)
}

// replace gives the file its new content, and checks that it has it.
func (c Change) replace() error {
	want, err := c.sum()
	if err != nil {
		return err
	}
	if c.file == nil {
		err = atomicfile.Replace(c.File, c.After, nil)
	} else {
		err = c.file.Replace(c.File, c.After)
	}
	if err != nil {
		return err
	}
	now, err := excerpt.SumOf(c.File)
	if err == nil && now != want {
		err = errNotKept
	}
	return err
}
