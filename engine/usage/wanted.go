package usage

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"runtime"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
)

// maxPreferences is more than the file of the preferences ever has, in bytes.
const maxPreferences = 1 << 20

// Wanted reports whether anything may be kept: whether the preferences, in the file at path, do not say "usage": false. Engines ask each time
// before they write, so that the switch of the window holds at once. Of preferences that cannot be read, nobody knows what they say, and nothing is kept.
func Wanted(path string) bool {
	text, err := atomicfile.Read(path, maxPreferences)
	if errors.Is(err, fs.ErrNotExist) {
		return true
	}
	var preferences struct {
		Usage *bool `json:"usage"`
	}
	if err != nil || json.Unmarshal(text, &preferences) != nil {
		return false
	}
	return preferences.Usage == nil || *preferences.Usage
}

// Forget removes all that is kept, what was damaged included. The engines begin anew unless [Wanted] says otherwise.
func (f Folder) Forget() error {
	return errors.Join(remove(f.file()), remove(f.damaged()))
}

// remove removes a file that may not be there. On Windows it has to wait for an engine that has the file open for a moment.
func remove(path string) (err error) {
	for range 20 {
		if err = os.Remove(path); err == nil || errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if runtime.GOOS != "windows" {
			return err
		}
		time.Sleep(50 * time.Millisecond)
	}
	return err
}
