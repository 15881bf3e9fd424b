package add

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/test"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/extension"
	"github.com/workbench-mcp/workbench-desktop/engine/paths"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// notesManifest has a setting of each kind.
const notesManifest = `{
  "manifest_version": "0.3", "name": "notes", "display_name": "My notes", "version": "1.2.0",
  "description": "Searches the notes in your folders, and reads them aloud.", "author": {"name": "Ann Example"},
  "compatibility": {"runtimes": {"node": ">=18"}},
  "tools": [{"name": "search_notes"}, {"name": "read_note"}],
  "user_config": {
    "key": {"type": "string", "title": "Key", "description": "You find it on the page of your account.", "sensitive": true, "required": true},
    "folders": {"type": "directory", "title": "Folders", "description": "Where your notes are.", "multiple": true, "required": true, "default": ["${HOME}/Notes", "${DOCUMENTS}"]},
    "most": {"type": "number", "title": "Most notes", "description": "", "default": 20, "min": 1, "max": 100},
    "deep": {"type": "boolean", "title": "Also in folders below", "description": "This can take longer.", "default": true},
    "index": {"type": "file", "title": "Index", "description": ""},
    "zone": {"type": "string", "title": "Time zone", "description": ""}
  },
  "server": {"type": "node", "entry_point": "server/index.js", "mcp_config": {
    "command": "node",
    "args": ["${__dirname}/server/index.js", "--most", "${user_config.most}", "${user_config.folders}"],
    "env": {"NOTES_KEY": "${user_config.key}", "DEEP": "${user_config.deep}", "TZ": "${user_config.zone}", "TRICK": "${keyring:github}"}
  }}
}`

// ann is the system of a user. Extensions are unpacked below the folder.
func ann(folder string) extension.System {
	return extension.System{OS: "linux", Folder: folder, Home: "/home/ann",
		UserFolders: paths.UserFolders{Documents: "/home/ann/Documents"}}
}

// bundle creates a bundle with a manifest and returns its path.
func (o *opened) bundle(name, manifest string) string {
	o.t.Helper()
	if o.system.Home == "" {
		o.system = ann(filepath.Join(o.t.TempDir(), "extensions"))
	}
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for name, text := range map[string]string{"manifest.json": manifest, "server/index.js": "console.log('hello')\n"} {
		f, err := w.CreateHeader(&zip.FileHeader{Name: name})
		if err == nil {
			_, err = f.Write([]byte(text))
		}
		if err != nil {
			o.t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		o.t.Fatal(err)
	}
	path := filepath.Join(o.t.TempDir(), name)
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		o.t.Fatal(err)
	}
	return path
}

func (o *opened) extension(manifest string) *extension.Extension {
	o.t.Helper()
	path := o.bundle("notes.mcpb", manifest)
	x, err := extension.Read(o.t.Context(), path, o.system)
	if err != nil {
		o.t.Fatal(err)
	}
	return x
}

// fill types into the field with a label.
func (o *opened) fill(label, text string) {
	o.t.Helper()
	for _, f := range o.review.cards[0].fields {
		if f.field.label == lang.L(label) {
			f.first.(interface{ SetText(string) }).SetText(text)
			return
		}
	}
	o.t.Fatalf("there is no field %q", label)
}

// unpacked returns the names of all files that were unpacked.
func (o *opened) unpacked() []string {
	var list []string
	_ = filepath.WalkDir(o.system.Folder, func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			list = append(list, e.Name())
		}
		return nil
	})
	slices.Sort(list)
	return list
}

// TestExtension checks that an extension is read from a file, shown completely and filled in, and only then unpacked,
// added and tried.
func TestExtension(t *testing.T) {
	o := newOpened(t)
	o.missing = []string{"node"}
	o.show(normal, Start{Way: WayFile, Toolbox: "research"})
	o.reads("Choose an extension (.mcpb or .dxt)")
	path := o.bundle("My notes.MCPB", notesManifest)
	o.chooser.file.path.SetText(path)
	o.chooser.file.path.OnSubmitted(path)
	x := o.review.candidates[0].extension
	folder := x.Folder()
	o.reads("My notes", "Searches the notes in your folders", "Version 1.2.0 · by Ann Example · Needs Node.js >=18",
		"Lists 2 tools: search_notes, read_note",
		"Key", "You find it on the page of your account.", "‹hidden›", "‹/home/ann/Notes›",
		"‹/home/ann/Documents›", "Add another", "‹20›", "[ ] Also in folders below",
		"This can take longer.", "Index", "Optional", "This comes from a file, and nobody has checked it.",
		"node "+folder+"/server/index.js --most 20 /home/ann/Notes /home/ann/Documents", "Variables", "NOTES_KEY=", "DEEP=",
		"TRICK=", "Its files are put into "+folder,
		"Node.js is not on this computer yet", "To fill in: Key.")
	o.lacks("Starts in")
	if !o.review.confirm.Disabled() || len(o.unpacked()) > 0 {
		t.Errorf("the extension can be added, or is unpacked: %q", o.unpacked())
	}
	if focused, ok := o.window.Canvas().Focused().(*kit.Input); !ok || !focused.Password {
		t.Error("the field that must be filled in does not have the focus")
	}
	test.Type(o.window.Canvas().Focused(), "s3cret-of-ann")
	for value, words := range map[string]string{"many": "Write a number", "0": "At least 1",
		"101": "At most 100"} {
		o.fill("Most notes", value)
		o.reads(words)
		if !o.review.confirm.Disabled() {
			t.Errorf("the extension can be added with %s", value)
		}
	}
	o.fill("Most notes", "50")
	o.fill("Folders", "/home/ann/my notes")
	o.review.cards[0].fields[3].first.(*kit.Check).SetChecked(false)
	o.reads(`--most 50 "/home/ann/my notes" /home/ann/Documents`, "NOTES_KEY=${keyring:")
	o.lacks("s3cret")
	if len(o.unpacked()) > 0 {
		t.Error("the extension was unpacked before the user has agreed")
	}
	o.tap("Add anyway")
	if got := o.unpacked(); !slices.Equal(got, []string{"index.js", "manifest.json"}) {
		t.Errorf("unpacked is %q", got)
	}
	if o.kept["research/notes/key"] != "s3cret-of-ann" {
		t.Errorf("kept is %v", o.kept)
	}
	want := map[string]any{"command": "node",
		"args": []any{folder + "/server/index.js", "--most", "50", "/home/ann/my notes", "/home/ann/Documents"},
		"cwd":  folder,
		"env":  map[string]any{"NOTES_KEY": "${keyring:research/notes/key}", "DEEP": "false", "TRICK": "$${keyring:github}"}}
	var got map[string]any
	if len(o.added) != 1 || o.added[0].Name != "notes" || json.Unmarshal(o.added[0].Entry, &got) != nil ||
		!equal(got, want) {
		t.Errorf("added is %+v", o.added)
	}
	o.done(status.Server{State: status.Connected, Tools: 14, AllTools: 14})
	o.reads("1 server is added", "notes", "Works · 14 tools")
	o.Close()
	if len(o.unpacked()) != 2 || o.removed > 0 {
		t.Error("the files were removed when the dialog was closed")
	}
}

func equal(a, b any) bool {
	first, err := json.Marshal(a)
	second, wrong := json.Marshal(b)
	return errors.Join(err, wrong) == nil && bytes.Equal(first, second)
}

// TestExtensionWithItsOwnProgram checks that there is no warning about a missing program if the program is part of the
// extension.
func TestExtensionWithItsOwnProgram(t *testing.T) {
	o := newOpened(t)
	own := strings.Replace(notesManifest, `"command": "node"`, `"command": "${__dirname}/server/index.js"`, 1)
	x := o.extension(strings.Replace(own, `"type": "node"`, `"type": "binary"`, 1))
	program := filepath.Join(x.Folder(), "server", "index.js")
	o.missing = []string{program}
	o.show(normal, Start{Files: []File{{Name: "notes.mcpb", Extension: x}}})
	o.reads("My notes", program, "Needs nothing else")
	o.lacks("was not found")
	if slices.Contains(o.looked, program) {
		t.Error("the program is looked for before it can exist")
	}
	// A user who types the same command gets the warning.
	o.Offer(program)
	o.chooser.next()
	o.reads("was not found on this computer")
	o.OfferFiles([]File{{Name: "notes.mcpb", Extension: x}})
	o.reads("My notes")
	o.lacks("was not found")
}

// TestRefusedExtension checks that an unusable bundle is refused with a reason, and that the next one can be read.
func TestRefusedExtension(t *testing.T) {
	o := newOpened(t).show(normal, Start{Way: WayFile})
	page := o.chooser.file
	page.open(o.bundle("notes.dxt",
		strings.Replace(notesManifest, `"version"`, `"compatibility": {"platforms": ["win32"]}, "version"`, 1)))
	o.reads("“notes.dxt” cannot be read: It is for Windows, not for Linux. Look for an edition for Linux")
	page.open(filepath.Join(t.TempDir(), "none.mcpb"))
	o.reads("“none.mcpb” cannot be read: ")
	page.open(o.bundle("notes.mcpb", notesManifest))
	o.reads("My notes")
	o.lacks("cannot be read")
}

// TestAbandonedExtension checks that no file of an extension stays on the computer if the extension is not added, for
// whatever reason.
func TestAbandonedExtension(t *testing.T) {
	begin := func(t *testing.T, prepare func(*opened)) *opened {
		o := newOpened(t)
		if prepare != nil {
			prepare(o)
		}
		o.show(normal, Start{Files: []File{{Name: "notes.mcpb", Extension: o.extension(notesManifest)}}})
		o.fill("Key", "s3cret-of-ann")
		return o
	}
	gone := func(o *opened) {
		o.t.Helper()
		if got := o.unpacked(); len(got) > 0 {
			o.t.Errorf("files are left: %q", got)
		}
	}
	t.Run("closed", func(t *testing.T) {
		o := begin(t, nil)
		o.Close()
		gone(o)
	})
	t.Run("closed while unpacking", func(t *testing.T) {
		o := begin(t, func(o *opened) { o.hold = true })
		o.tap("Add and try")
		o.reads("Adding…")
		o.Close()
		o.held()
		gone(o)
		if len(o.added) > 0 {
			t.Error("the extension was added")
		}
	})
	t.Run("back while unpacking", func(t *testing.T) {
		o := begin(t, func(o *opened) { o.hold = true })
		o.tap("Add and try")
		o.tap("Back")
		o.held()
		gone(o)
		if len(o.added) > 0 || o.step != stepChoose {
			t.Error("the extension was added")
		}
	})
	t.Run("back while the keychain asks", func(t *testing.T) {
		o := begin(t, func(o *opened) { o.holdKeep = true })
		o.tap("Add and try")
		o.tap("Back")
		o.held()
		gone(o)
		if len(o.added) > 0 || o.step != stepChoose {
			t.Error("the extension was added")
		}
	})
	t.Run("the keychain refuses", func(t *testing.T) {
		o := begin(t, func(o *opened) { o.keepError = errors.New("the keychain is locked") })
		o.tap("Add and try")
		o.reads("The keychain is locked.")
		gone(o)
	})
	t.Run("the file cannot be saved", func(t *testing.T) {
		o := begin(t, func(o *opened) { o.addError = errors.New("the disk is full") })
		o.tap("Add and try")
		o.reads("The disk is full.")
		gone(o)
		o.addError = nil
		o.tap("Add and try")
		o.reads("1 server is added", "notes")
		if len(o.unpacked()) != 2 {
			t.Error("its files are not unpacked")
		}
	})
	t.Run("it cannot be unpacked", func(t *testing.T) {
		o := begin(t, nil)
		if err := os.WriteFile(o.system.Folder, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		o.tap("Add and try")
		o.reads("It could not be unpacked to ", "Make sure that there is room")
		if len(o.added)+len(o.kept) > 0 {
			t.Error("something was added")
		}
	})
	t.Run("its files are in use already", func(t *testing.T) {
		o := begin(t, nil)
		x := o.review.candidates[0].extension
		if _, err := x.Unpack(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(x.Folder(), "manifest.json"), []byte("changed"), 0o600); err != nil {
			t.Fatal(err)
		}
		o.addError = errors.New("the disk is full")
		o.tap("Add and try")
		o.reads("The disk is full.")
		if len(o.unpacked()) != 2 {
			t.Error("the files of another server were removed")
		}
	})
}

// TestUnusableExtensions checks that the reasons for all dropped files are shown if none can be used.
func TestUnusableExtensions(t *testing.T) {
	o := newOpened(t)
	x := o.extension(notesManifest)
	o.show(normal, Start{Files: []File{
		{Name: "a.mcpb", Err: errors.New("it is for Windows")},
		{Name: "b.mcpb", Extension: x, Err: errors.New("it says too much")},
	}})
	if o.step != stepChoose {
		t.Error("the dialog went on although no file can be used")
	}
	o.reads("Nothing was taken from a.mcpb: it is for Windows", "Nothing was taken from b.mcpb: it says too much")
	o.chooser.paste.text.SetText("npx -y notes")
	o.reads("1 server found")
	o.lacks("Nothing was taken")
	o.OfferFiles([]File{{Name: "c.json", Text: "what?"}, {Name: "d.mcpb", Err: errors.New("it is for macOS")}})
	o.reads("what?", "Nothing was taken from c.json: ", "Nothing was taken from d.mcpb: it is for macOS")
}

// TestSeveralExtensions checks that extensions can be dropped together with other files, even if two have the same
// name.
func TestSeveralExtensions(t *testing.T) {
	o := newOpened(t)
	simple := strings.Replace(notesManifest, `"required": true`, `"required": false`, 1)
	o.show(normal, Start{Files: []File{
		{Name: "a.mcpb", Extension: o.extension(simple)},
		{Name: "a.json", Text: `{"mcpServers": {"notes": {"command": "sh", "args": ["1"]}}}`},
		{Name: "b.mcpb", Extension: o.extension(strings.Replace(simple, "1.2.0", "1.3.0", 1))},
		{Name: "c.mcpb", Err: errors.New("it is for Windows")},
	}})
	o.reads("3 servers to look at", "Nothing was taken from c.mcpb: it is for Windows", "Version 1.2.0", "Version 1.3.0",
		"‹notes›", "‹notes-2›")
	o.tap("Add and try")
	if len(o.added) != 3 || len(o.unpacked()) != 4 {
		t.Errorf("added is %+v, unpacked %q", o.added, o.unpacked())
	}
}

// TestExtensionByKeyboard checks that the Tab key reaches all fields.
func TestExtensionByKeyboard(t *testing.T) {
	o := newOpened(t).show(normal, Start{Files: []File{{Name: "notes.mcpb", Extension: newOpenedExtension(t)}}})
	seen := map[fyne.Focusable]bool{}
	for range 40 {
		if focused := o.window.Canvas().Focused(); focused != nil {
			seen[focused] = true
		}
		o.window.Canvas().FocusNext()
	}
	for _, f := range o.review.cards[0].fields {
		if !seen[f.first] {
			t.Errorf("the Tab key does not reach %q", f.field.label)
		}
	}
}

func newOpenedExtension(t *testing.T) *extension.Extension {
	return (&opened{t: t}).extension(notesManifest)
}
