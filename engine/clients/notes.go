package clients

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
)

// notes is a file beside the ledger: what was noticed of clients. Losing it costs little, so that it must never stand in the way of
// the ledger. T has a member Format.
type notes[T any] struct {
	ledger ledger
	path   string
	about  string // what stands in it, for errors
	anew   string // what happens when it is moved away, for errors
	empty  func() T
}

// notesFormat is the version of all these files.
const notesFormat = 1

// errOtherFormat: a newer version of ours has written the file, and shall find it again.
var errOtherFormat = errors.New("it is from another version of Workbench")

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
		return n.empty(), source, fmt.Errorf("reading %s, where it stands %s: %w; move it away, and %s", n.path, n.about, err, n.anew)
	}
	return content, source, nil
}

// change has the file changed, while no other process of ours does. One that is damaged is put aside.
func (n notes[T]) change(edit func(*T) (changed bool)) error {
	return n.ledger.locked(func() error {
		content, before, err := n.load()
		switch {
		case err == nil:
		case before == nil || errors.Is(err, errOtherFormat):
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
			return fmt.Errorf("writing %s: %w", n.path, err)
		}
		return nil
	})
}
