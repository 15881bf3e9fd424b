// Package applications moves the app to the Applications folder of macOS. People first open it in Downloads or on a
// disk image. It will not stay there, so that path must not be stored anywhere, see [paths.Folders.Stays].
package applications

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"howett.net/plist"

	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/autostart"
	"github.com/workbench-mcp/workbench-desktop/engine/paths"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// maxPlist limits the Info.plist of an app that is read, in bytes.
const maxPlist = 1 << 20

// Mover moves an app.
type Mover struct {
	app     string   // the app that is running
	folders []string // for apps, the best one first
	open    string   // the program that opens an app
	pid     int      // the process that must end before the moved app is opened
}

// New returns a Mover for the app of a program; nil if the program is not in an app, or the app can stay in its
// folder. env is [os.Getenv] or a replacement.
func New(env func(string) string, program string) *Mover { return newMover(paths.Here(env), program) }

func newMover(here paths.Folders, program string) *Mover {
	app, _, inApp := strings.Cut(program, ".app/Contents/MacOS/")
	if !inApp || here.Stays(program) == nil {
		return nil
	}
	folders := []string{"/Applications"}
	if here.Home != "" {
		folders = append(folders, filepath.Join(here.Home, "Applications"))
	}
	return &Mover{app: app + ".app", folders: folders, open: "/usr/bin/open", pid: os.Getpid()}
}

// Move copies the app to the Applications folder of all users or, if that cannot be changed, to the user's own. An
// earlier version there is replaced. The attributes that macOS gives downloads are not copied, so that it does not
// open the copy elsewhere. Move returns the path of the copy, which is opened when this process has ended.
func (m *Mover) Move() (app string, err error) {
	for _, folder := range m.folders {
		if app, err = m.moveTo(folder); err == nil {
			return app, m.openLater(app)
		}
		if !errors.Is(err, fs.ErrPermission) {
			return "", err
		}
	}
	return "", err
}

// moveTo copies the app into a folder.
func (m *Mover) moveTo(folder string) (string, error) {
	app := filepath.Join(folder, filepath.Base(m.app))
	fails := func(err error) (string, error) {
		return "", words.NewError("applications.not_moved", "Folder", folder, "Why", paths.Cause(err)).Because(err)
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return fails(err)
	}
	_, err := os.Lstat(app)
	there := err == nil
	if there && identifier(app) != autostart.ID {
		return "", words.NewError("applications.another", "Path", app)
	}
	work, err := os.MkdirTemp(folder, ".workbench-")
	if err != nil {
		return fails(err)
	}
	defer os.RemoveAll(work)
	fresh, before := filepath.Join(work, "new"), filepath.Join(work, "old")
	if err := os.CopyFS(fresh, os.DirFS(m.app)); err != nil {
		return fails(err)
	}
	if there {
		if err := os.Rename(app, before); err != nil {
			return fails(err)
		}
	}
	if err := os.Rename(fresh, app); err != nil {
		if there {
			err = errors.Join(err, os.Rename(before, app))
		}
		return fails(err)
	}
	return app, nil
}

// identifier returns the bundle identifier of an app, or "" if it cannot be read.
func identifier(app string) string {
	file, err := os.Open(filepath.Join(app, "Contents", "Info.plist"))
	if err != nil {
		return ""
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil || info.Size() > maxPlist {
		return ""
	}
	var about struct{ CFBundleIdentifier string }
	if plist.NewDecoder(file).Decode(&about) != nil {
		return ""
	}
	return about.CFBundleIdentifier
}

// openLater opens an app when this process has ended. Earlier, the system would only show the window of this process.
func (m *Mover) openLater(app string) error {
	const script = `while kill -0 "$1" 2>/dev/null; do sleep 0.2; done; exec "$2" "$3"`
	waiting := exec.Command("/bin/sh", "-c", script, "sh", strconv.Itoa(m.pid), m.open, app)
	if err := waiting.Start(); err != nil {
		return words.NewError("applications.not_opened", "Path", app, "Why", paths.Cause(err))
	}
	return waiting.Process.Release()
}
