//go:build !windows && !darwin

package links

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/autostart"
	"github.com/workbench-mcp/workbench-desktop/engine/paths"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Names of our desktop entries. The packages install the first, this package writes the second for a user.
const (
	packaged = autostart.ID + ".desktop"
	ours     = autostart.ID + ".Links.desktop"
	mimeType = "x-scheme-handler/" + Scheme
)

// askTime limits a call of xdg-mime.
const askTime = 10 * time.Second

func newSystem(env func(string) string) (system, error) {
	here := paths.Here(env)
	if here.DataHome() == "" {
		return nil, here.NoHome()
	}
	return &desktop{file: filepath.Join(here.DataHome(), "applications", ours), config: here.ConfigHome()}, nil
}

// desktop registers the scheme with Linux desktops: in a desktop entry (Desktop Entry Specification), and in
// mimeapps.list, which xdg-mime writes.
type desktop struct{ file, config string }

func (d *desktop) status(program string) (Status, error) {
	out, err := xdgMime("query", "default", mimeType)
	if err != nil {
		return Status{}, err
	}
	name := strings.TrimSpace(out)
	switch name {
	case "":
		return Status{}, nil
	case packaged:
		return Status{On: true}, nil
	case ours:
		text, err := os.ReadFile(d.file)
		if errors.Is(err, fs.ErrNotExist) {
			return Status{}, nil
		}
		if err == nil && bytes.Contains(text, []byte("\nExec="+autostart.ExecLine(program, "%u")+"\n")) {
			return Status{On: true, Own: true}, nil
		}
	}
	return Status{Other: name}, nil
}

func (d *desktop) register(program string) error {
	text := `[Desktop Entry]
Type=Application
Version=1.0
Name=` + autostart.Name + `
Exec=` + autostart.ExecLine(program, "%u") + `
Icon=` + autostart.ID + `
Terminal=false
NoDisplay=true
MimeType=` + mimeType + `;
`
	// Other programs make this folder with the same permissions.
	if err := os.MkdirAll(filepath.Dir(d.file), 0o755); err != nil {
		return words.NewError("links.not_written", "Where", d.file, "Why", err)
	}
	if err := os.WriteFile(d.file, []byte(text), 0o600); err != nil {
		return words.NewError("links.not_written", "Where", d.file, "Why", err)
	}
	if _, err := xdgMime("default", ours, mimeType); err != nil {
		_ = os.Remove(d.file)
		return err
	}
	return nil
}

func (d *desktop) remove() error {
	if err := os.Remove(d.file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return words.NewError("links.not_written", "Where", d.file, "Why", err)
	}
	return nil // an entry in mimeapps.list that names a missing file has no effect
}

// xdgMime runs xdg-mime of xdg-utils.
func xdgMime(args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), askTime)
	defer cancel()
	out, err := exec.CommandContext(ctx, "xdg-mime", args...).Output()
	if errors.Is(err, exec.ErrNotFound) {
		return "", words.NewError("links.no_xdg_mime")
	}
	if err != nil {
		return "", words.NewError("links.xdg_mime", "Why", err)
	}
	return string(out), nil
}
