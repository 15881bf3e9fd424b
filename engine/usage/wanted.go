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

// maxPreferences is larger than the file of the preferences ever is, in bytes.
const maxPreferences = 1 << 20

// Wanted reports whether usage may be stored: whether the preferences in the file at path do not have
// "usage": false. Engines ask each time before they write, so that the setting in the window takes effect at
// once. If the preferences cannot be read, nothing is stored.
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

// Forget removes everything that is stored, including a damaged store. The engines begin again unless
// [Wanted] returns false.
func (f Folder) Forget() error {
	return errors.Join(remove(f.file()), remove(f.damaged()))
}

// remove removes a file, which need not exist. On Windows it waits for an engine that has the file open for a
// moment.
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
