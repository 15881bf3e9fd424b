package file

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/test"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/kit/code"
	"github.com/workbench-mcp/workbench-desktop/app/kit/drawn"
	"github.com/workbench-mcp/workbench-desktop/app/locale"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/store"
)

// The sizes of the screen in a window of the usual and of the smallest size, without the navigation bar and the status
// line.
var (
	usual = fyne.NewSize(1100-97, 720-36)
	small = fyne.NewSize(800-97, 560-36)
)

// bench is a screen on a real store and a real file.
type bench struct {
	*Screen
	t      *testing.T
	file   string
	store  *store.Store
	window fyne.Window

	timers []*timer
	held   []func() // the jobs of With and Background while hold is set
	hold   bool
	away   bool // another screen is shown, so this one gets no views
	undone []string
	now    time.Time
}

type timer struct {
	do      func()
	stopped bool
}

// open opens a screen on a file with some content, or on a missing file if the content is empty.
func open(t *testing.T, content string, size fyne.Size) *bench {
	t.Helper()
	return openAs(t, content, size, base.VariantLight)
}

func openAs(t *testing.T, content string, size fyne.Size, variant fyne.ThemeVariant) *bench {
	t.Helper()
	test.NewTempApp(t).Settings().SetTheme(drawn.Theme{Variant: variant})
	folder := t.TempDir()
	b := &bench{t: t, file: filepath.Join(folder, "workbench", config.FileName), now: time.Now()}
	if content != "" {
		b.write(content)
	}
	b.reopen()
	b.Screen = New(fake{b}, &model.Opened{})
	b.window = test.NewTempWindow(t, b.Object())
	b.window.SetPadded(false)
	b.window.Resize(size)
	b.apply()
	return b
}

// reopen opens another store on the same file, as after a restart of the program. It knows only the secrets in the
// file.
func (b *bench) reopen() {
	b.t.Helper()
	opened, err := store.Open(store.Options{
		Location:   config.Location{Path: b.file, Source: config.SourceDefault},
		HistoryDir: filepath.Join(filepath.Dir(filepath.Dir(b.file)), "history"),
		Author:     store.AuthorWindow,
	})
	if err != nil {
		b.t.Fatal(err)
	}
	b.store = opened
}

// later runs a job at once, or when it is released.
func (b *bench) later(do func()) {
	if b.hold {
		b.held = append(b.held, do)
	} else {
		do()
	}
}

// fake is the program of a bench.
type fake struct{ *bench }

func (b fake) With(job func(context.Context, *store.Store) error, done func(error)) {
	b.later(func() {
		err := job(b.t.Context(), b.store)
		b.apply()
		done(err)
	})
}

func (b fake) After(_ time.Duration, do func()) func() {
	next := &timer{do: do}
	b.timers = append(b.timers, next)
	return func() { next.stopped = true }
}

func (b fake) Background(work, done func())                  { b.later(func() { work(); done() }) }
func (b fake) Warnings(*config.Document) []config.Diagnostic { return nil }

func (b fake) Undoable(text string) { b.undone = append(b.undone, text) }
func (b fake) Now() time.Time       { return b.now }
func (b fake) Typed(bool)           {}
func (b fake) Back()                {}
func (b fake) OpenFile()            {}
func (b fake) OpenFolder()          {}

// apply shows the state of the store.
func (b *bench) apply() {
	if b.away {
		return
	}
	snapshot := b.store.Snapshot()
	view := View{Path: b.file, Now: snapshot.Document, Problem: snapshot.Problem, Edits: snapshot.Edits}
	if snapshot.Problem != nil {
		view.Now = nil
	}
	if snapshot.Pending != nil {
		view.Now, view.Unsaved = snapshot.Pending.Document, true
	}
	b.Apply(view)
}

// release runs the jobs that were held back.
func (b *bench) release() {
	b.hold = false
	for len(b.held) > 0 {
		next := b.held[0]
		b.held = b.held[1:]
		next()
	}
}

// wait moves the focus out of the text, which saves a usable text.
func (b *bench) wait() {
	focused := b.text.code.Focused()
	b.text.code.OnFocusLost()
	if focused {
		b.window.Canvas().Unfocus()
	}
	for len(b.timers) > 0 {
		next := b.timers[0]
		b.timers = b.timers[1:]
		if !next.stopped {
			next.do()
		}
	}
	if focused {
		b.window.Canvas().Focus(b.text.code.Focusable())
	}
}

// write changes the file as another program does. outside also tells the screen.
func (b *bench) write(content string) {
	b.t.Helper()
	if err := os.MkdirAll(filepath.Dir(b.file), 0o755); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(b.file, []byte(content), 0o644); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) outside(content string) {
	b.t.Helper()
	b.write(content)
	b.reload()
}

func (b *bench) reload() {
	_ = b.store.Reload(b.t.Context()) // the view says what is wrong
	b.apply()
}

// onDisk fails unless the file has a content.
func (b *bench) onDisk(what, want string) {
	b.t.Helper()
	got, err := os.ReadFile(b.file)
	if err != nil {
		b.t.Fatal(err)
	}
	if string(got) != want {
		b.t.Fatalf("%s: the file has\n%s\nwant\n%s", what, got, want)
	}
}

// types types text after the first occurrence of another text.
func (b *bench) types(behind, text string) {
	b.t.Helper()
	code := b.text.code
	i := strings.Index(code.Text(), behind)
	if i < 0 {
		b.t.Fatalf("the code has no %q:\n%s", behind, code.Text())
	}
	code.Goto(placeAt(code.Text(), i+len(behind)))
	b.window.Canvas().Focus(code.Focusable())
	for _, r := range text {
		if r == '\n' {
			code.Focusable().TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
		} else {
			code.Focusable().TypedRune(r)
		}
	}
}

// erases deletes letters before the caret.
func (b *bench) erases(count int) {
	for range count {
		b.text.code.Focusable().TypedKey(&fyne.KeyEvent{Name: fyne.KeyBackspace})
	}
}

// said returns all text that is visible or that widgets hold, except in hidden objects.
func (b *bench) said() string {
	var out strings.Builder
	walk(b.root, func(object fyne.CanvasObject) {
		switch object := object.(type) {
		case *canvas.Text:
			out.WriteString(object.Text + "\n")
		case *kit.Lines:
			out.WriteString(object.Text() + "\n")
		case *widget.RichText:
			out.WriteString(object.String() + "\n")
		case *kit.Text:
			out.WriteString(object.Text() + "\n")
		case *kit.Button:
			out.WriteString(object.Text + "\n")
		case *code.Entry:
			out.WriteString(object.Text() + "\n")
		}
	})
	return out.String()
}

func (b *bench) says(what string, words ...string) {
	b.t.Helper()
	said := b.said()
	for _, word := range words {
		if !strings.Contains(said, word) {
			b.t.Fatalf("%s: the screen does not show %q, but\n%s", what, word, said)
		}
	}
}

func (b *bench) saysNot(what string, words ...string) {
	b.t.Helper()
	said := b.said()
	for _, word := range words {
		if strings.Contains(said, word) {
			b.t.Fatalf("%s: the screen shows %q:\n%s", what, word, said)
		}
	}
}

// tap presses the first button with a label.
func (b *bench) tap(label string) {
	b.t.Helper()
	var found *kit.Button
	walk(b.root, func(object fyne.CanvasObject) {
		if button, ok := object.(*kit.Button); ok && button.Text == lang.L(label) && found == nil && !button.Disabled() {
			found = button
		}
	})
	if found == nil {
		b.t.Fatalf("there is no button %q in\n%s", label, b.said())
	}
	test.Tap(found)
}

func walk(object fyne.CanvasObject, visit func(fyne.CanvasObject)) {
	if object == nil || !object.Visible() {
		return
	}
	visit(object)
	switch object := object.(type) {
	case *fyne.Container:
		for _, child := range object.Objects {
			walk(child, visit)
		}
	case fyne.Widget:
		for _, child := range test.WidgetRenderer(object).Objects() {
			walk(child, visit)
		}
	}
}

const token = "hunter2-hunter2"

const plainText = `{
  // Mine.
  "toolboxes": {
    "dev": {
      "description": "Development tools",
      "mcpServers": {
        "github": {
          "command": "npx",
          "args": ["-y", "@modelcontextprotocol/server-github"],
          "env": { "GITHUB_TOKEN": "` + token + `", "LEVEL": "info" }
        },
        "memory": { "command": "npx", "args": ["-y", "@modelcontextprotocol/server-memory"] }
      }
    },
    "research": { "mcpServers": { "papers": { "url": "https://example.com/mcp" } } }
  }
}
`

// with returns the text with one replacement.
func with(t *testing.T, old, new string) string {
	t.Helper()
	if strings.Count(plainText, old) != 1 {
		t.Fatalf("the text does not have %q exactly once", old)
	}
	return strings.Replace(plainText, old, new, 1)
}

func saveShortcut() fyne.Shortcut {
	return &desktop.CustomShortcut{KeyName: fyne.KeyS, Modifier: fyne.KeyModifierShortcutDefault}
}

func TestMain(m *testing.M) {
	locale.Install().Speak("en")
	os.Exit(m.Run())
}
