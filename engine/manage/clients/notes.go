package clients

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"

	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// notes is one of the files in our folder. T has a member Format.
type notes[T any] struct {
	ledger ledger
	path   string
	unread words.Code // the error when it cannot be read
	empty  func() T

	// precious is set when it says how to undo what we have done to files of others. Then one that is damaged is left for people to repair. The
	// others hold what was noticed of clients: losing that costs little, so that they must never stand in the way.
	precious bool
}

// notesFormat is the version of all these files.
const notesFormat = 1

// errOtherFormat: a newer version of ours has written the file, and shall find it again.
const errOtherFormat = words.Code("clients.other_version")

// load returns what there is, and the bytes of the file, nil when there is none.
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

// change has the file changed, while no other process of ours does. One that is damaged is put aside, unless it is precious.
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
