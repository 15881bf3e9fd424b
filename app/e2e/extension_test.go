//go:build linux

package e2e

import (
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// filesManifest is the manifest of an extension with the filesystem server from npm. It asks for a folder, and for a
// key that the server does not need.
const filesManifest = `{
  "manifest_version": "0.3", "name": "files", "display_name": "Files of a folder", "version": "1.0.0",
  "description": "Reads and writes the files of one folder.", "author": {"name": "Ann Example"},
  "compatibility": {"platforms": ["linux"], "runtimes": {"node": ">=18"}},
  "tools_generated": true,
  "user_config": {
    "key": {"type": "string", "title": "Key", "description": "You find it on the page of your account.", "sensitive": true, "required": true},
    "folder": {"type": "directory", "title": "Folder", "description": "The one that may be read and written.", "required": true, "default": "${HOME}"}
  },
  "server": {"type": "node", "entry_point": "server/dist/index.js", "mcp_config": {
    "command": "node", "args": ["${__dirname}/server/dist/index.js", "${user_config.folder}"], "env": {"FILES_KEY": "${user_config.key}"}
  }}
}`

// packExtension packs a server from npm with all its dependencies, using the tool of the format.
func packExtension(t *testing.T, server, manifest, name string) string {
	t.Helper()
	npm := filepath.Dir(filepath.Dir(filepath.Dir(filepath.Dir(npmServer(t, server))))) // node_modules
	folder := filepath.Join(t.TempDir(), "extension")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(folder, "manifest.json"), manifest)
	if err := os.CopyFS(filepath.Join(folder, "server"),
		os.DirFS(filepath.Join(npm, "@modelcontextprotocol", "server-"+server))); err != nil {
		t.Fatal(err)
	}
	needed := map[string]bool{}
	var add func(description string)
	add = func(description string) {
		var says struct{ Dependencies map[string]string }
		text, err := os.ReadFile(description)
		if err == nil {
			err = json.Unmarshal(text, &says)
		}
		if err != nil {
			t.Fatal(err)
		}
		for each := range says.Dependencies {
			if !needed[each] {
				needed[each] = true
				add(filepath.Join(npm, each, "package.json"))
			}
		}
	}
	add(filepath.Join(folder, "server", "package.json"))
	for each := range needed {
		if err := os.CopyFS(filepath.Join(folder, "node_modules", each), os.DirFS(filepath.Join(npm, each))); err != nil {
			t.Fatal(err)
		}
	}
	made := filepath.Join(t.TempDir(), name)
	tool := filepath.Join(npm, "@anthropic-ai", "mcpb", "dist", "cli", "cli.js")
	if out, err := exec.CommandContext(t.Context(), "node", tool, "pack", folder, made).CombinedOutput(); err != nil {
		t.Fatalf("packing it: %v\n%s", err, out)
	}
	return made
}

// An extension with a real server, packed with the tool of the format, is dropped on the window, filled in with the
// keyboard and added. Then it works. Undo removes it from the file, and redo brings it back, because its files are
// kept.
func TestExtensionFromAFile(t *testing.T) {
	needs(t, "node")
	if _, err := os.Stat(npmServer(t, "filesystem")); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("%v; run e2e/npm/install", err)
		}
		t.Skipf("%v; run e2e/npm/install", err)
	}
	path := packExtension(t, "filesystem", filesManifest, "files of a folder (1).mcpb")
	for _, look := range []string{"light", "dark"} {
		t.Run(look, func(t *testing.T) { dropExtension(t, path, look) })
	}
}

func dropExtension(t *testing.T, path, look string) {
	s := newSessionOf(t, `{"toolboxes": {"dev": {"description": "My tools", "mcpServers": {"first": {"command": "sh", "disabled": true}}}}}`, look)
	p := newPanel(t, s)
	s.run(t)
	icon := p.icon(t)
	eventually(t, s.hasWindow)
	d := s.display
	x, y, width, height := 0, 0, 0, 0
	eventually(t, func() error {
		x, y, width, height = s.geometry(t)
		if width == 0 || d.counts(image.Rect(x, y, x+width, y+height),
			map[string]uint32{"light": 0xF5F6F8, "dark": 0x14171C}[look]) < 100_000 {
			return errors.New("the window is not drawn")
		}
		return nil
	})
	below := filepath.Join(s.folder, ".local", "share", "workbench", "extensions", "files")
	unpacked := func() []string {
		found, err := filepath.Glob(filepath.Join(below, "1.0.0-*", "server", "dist", "index.js"))
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	added := func() error {
		if text := s.read(t); !strings.Contains(text, `"FILES_KEY": "a0b1c2d3e4"`) {
			return fmt.Errorf("the file has no such server:\n%s", text)
		}
		return nil
	}
	// The window gets darker behind the review.
	accent := map[string]uint32{"light": 0x2F5FDE, "dark": 0x7BA4FF}[look]
	beside := image.Rect(x+10, y+300, x+70, y+600)
	before := d.pixels(beside)
	asked := func() error {
		if slices.Equal(d.pixels(beside), before) {
			return errors.New("the review of the extension is not shown")
		}
		return nil
	}
	eventually(t, func() error {
		if asked() == nil {
			return nil
		}
		if !d.drag(s, files(path), image.Pt(x+700, y+300)) {
			return errors.New("the window does not accept a file")
		}
		return soon(asked)
	})
	// The form comes after the review has begun, since the file is read first, and asks about the secret once it has
	// one.
	written := func(part image.Rectangle) {
		t.Helper()
		eventually(t, func() error {
			if d.counts(part, map[string]uint32{"light": colorText, "dark": 0xE7EAF0}[look]) < 10 {
				return fmt.Errorf("the form has no words at %v", part)
			}
			return nil
		})
	}
	written(image.Rect(x+118, y+448, x+150, y+466)) // "Key"
	d.click(image.Pt(x+400, y+486))                 // its field
	d.types("a0b1c2d3e4")
	written(image.Rect(x+150, y+538, x+255, y+558)) // "Keep it in the file"
	box := image.Rect(x+118, y+528, x+145, y+558)
	agreed := func() error { // this desktop has no keychain, so the user has to agree to the file
		if d.counts(box, accent) == 0 {
			return errors.New("the secret would go to the keychain")
		}
		return nil
	}
	d.click(box.Min.Add(image.Pt(13, 15))) // once: a second click would take the agreement back
	eventually(t, agreed)
	confirm := image.Rect(x+903, y+655, x+1000, y+688)
	eventually(t, func() error {
		if d.counts(confirm, accent) < 500 {
			return errors.New("the extension cannot be added")
		}
		return nil
	})
	s.picture(t, "extension-"+look)
	if len(unpacked()) > 0 {
		t.Fatal("its files were unpacked before the user has agreed")
	}
	d.click(image.Pt(x+950, y+671))
	eventually(t, added)
	if len(unpacked()) != 1 {
		t.Fatalf("the unpacked folders are %q", unpacked())
	}
	if text := s.read(t); !strings.Contains(text, `"command": "node"`) || !strings.Contains(text, unpacked()[0]) ||
		!strings.Contains(text, `"`+s.folder+`"`) {
		t.Errorf("the file is\n%s", text)
	}
	eventually(t, icon.says("● files   14 tools"))
	s.picture(t, "extension-works-"+look)

	s.press(t, "Return") // closes the sheet
	undone := func() error {
		if strings.Contains(s.read(t), "FILES_KEY") {
			return errors.New("the server is still in the file")
		}
		return nil
	}
	eventually(t, func() error {
		if undone() == nil {
			return nil
		}
		s.press(t, "ctrl+z")
		return soon(undone)
	})
	if len(unpacked()) != 1 {
		t.Error("its files were removed with the entry")
	}
	eventually(t, func() error {
		if added() == nil {
			return nil
		}
		s.press(t, "ctrl+shift+z")
		return soon(added)
	})
	left, err := filepath.Glob(filepath.Join(filepath.Dir(below), ".*"))
	if err != nil || len(left) > 0 {
		t.Errorf("files are left: %q, %v", left, err)
	}
}
