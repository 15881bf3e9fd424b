package edit

import "github.com/workbench-mcp/workbench-desktop/engine/words"

// Apply does operations one after the other, all or none. The source is not changed. A nil or empty source
// means a file that does not exist yet; the result then has at least {"toolboxes": {}}.
//
// The error matches one of [ErrNotFound], [ErrExists], [ErrInvalid], [ErrSyntax], [ErrAmbiguous] and
// [ErrWrongType], or [ErrBug] if an operation would have broken the file.
func Apply(source []byte, ops ...Op) ([]byte, error) {
	d, err := newDraft(source)
	if err != nil {
		return nil, err
	}
	before := d.abouts()
	for i, op := range ops {
		if err := d.do(op); err != nil {
			if len(ops) > 1 {
				err = words.NewError("edit.operation", "Number", i+1, "Why", err)
			}
			return nil, err
		}
	}
	if err := d.followServers(before); err != nil {
		return nil, err
	}
	return []byte(d.text.Text()), nil
}
