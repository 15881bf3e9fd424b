package usage

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
)

// maxPreferences is larger than the file of the preferences ever is, in bytes.
const maxPreferences = 1 << 20

const (
	forgetPatience = 5 * time.Second // for engines that write
	afterAllDays   = "9999-99-99"
)

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

// Forget removes everything that is stored. The engines begin again unless [Wanted] returns false.
func (f Folder) Forget() error {
	if _, err := os.Stat(string(f)); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return f.locked(forgetPatience, func() error {
		return errors.Join(f.forgetBefore(afterAllDays), remove(f.servers()))
	})
}

// remove removes a file, which need not exist.
func remove(path string) error {
	err := atomicfile.Patiently(func() error { return os.Remove(path) })
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
