package clients

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"

	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// notes is a JSON file in our folder. T has a member Format.
type notes[T any] struct {
	ledger ledger
	path   string
	unread words.Code // the error if the file cannot be read
	empty  func() T

	// precious is set if the file says how to undo our changes to other programs' files. A damaged one is
	// then left for people to repair. The other files only have observations about clients. Losing these
	// costs little, so they must never block anything.
	precious bool
}

// notesFormat is the version of the format of all these files.
const notesFormat = 1

// errOtherFormat means that another version of Workbench has written the file. It is left for that version.
const errOtherFormat = words.Code("clients.other_version")

// load returns the content, and the bytes of the file; nil bytes mean that there is no file.
func (n notes[T]) load() (T, []byte, error) {
	source, err := os.ReadFile(n.path)
	if errors.Is(err, fs.ErrNotExist) {
		return n.empty(), nil, nil
	}
	var version struct {
		Format int `json:"format"`
	}
	if err == nil {
		err = json.Unmarshal(source, &version)
	}
	if err == nil && version.Format != notesFormat {
		err = errOtherFormat
	}
	content := n.empty()
	if err == nil {
		err = json.Unmarshal(source, &content)
	}
	if err != nil {
		return n.empty(), source, words.NewError(n.unread, "Path", n.path, "Why", err)
	}
	return content, source, nil
}

// change changes the file while no other process of ours does. A damaged file is put aside, unless it is
// precious.
func (n notes[T]) change(edit func(*T) (changed bool)) error {
	return n.ledger.locked(func() error {
		content, before, err := n.load()
		switch {
		case err == nil:
		case before == nil || n.precious || errors.Is(err, errOtherFormat):
			return err
		default:
			if os.Rename(n.path, n.path+".damaged") != nil {
				return err
			}
			before = nil
		}
		if !edit(&content) {
			return nil
		}
		source, err := json.MarshalIndent(content, "", "  ")
		if err != nil {
			return err
		}
		if err := atomicfile.Replace(n.path, append(source, '\n'), before); err != nil {
			return words.NewError("clients.notes_not_written", "Path", n.path, "Why", err)
		}
		return nil
	})
}
