package toolboxes

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/kit/kittest"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// opened is a screen in a window with a real configuration. As in the app, edits change the text of the file, and the
// result is applied to the screen.
type opened struct {
	*Screen
	t      *testing.T
	window fyne.Window
	source *model.Snapshot
	refuse error // if set, edits fail with this error
	slow   bool  // edits are kept in late, as with a slow disk
	late   []func()
	texts  []string // the texts of the file before each edit
	done   []string // the other actions of the screen
	named  []string // the calls of Renamed and ShowServer
	left   int      // the calls of Leave
}

func (o *opened) note(format string, values ...any) {
	o.done = append(o.done, fmt.Sprintf(format, values...))
}

// asked returns the actions since its last call.
func (o *opened) asked() string {
	done := strings.Join(o.done, "; ")
	o.done = nil
	return done
}

// file returns the text of the configuration.
func (o *opened) file() string { return string(o.source.File.Now.Source) }

// write changes the file as another editor would.
func (o *opened) write(text string) {
	o.source.File.Now = config.Parse(path, []byte(text))
	if o.source.File.Now.Valid() {
		o.source.Good = o.source.File.Now
	}
	o.source.Live = &model.Live{Engines: o.source.Live.Engines, Paused: o.source.Live.Paused,
		Changed: o.source.Live.Changed}
	if o.source.Good != nil {
		o.source.Live.Config = o.source.Good.Config
	}
	o.Apply(viewOf(o.source))
}

// undo undoes the last edit.
func (o *opened) undo() {
	last := len(o.texts) - 1
	text := o.texts[last]
	o.texts = o.texts[:last]
	o.write(text)
}

// program is the program behind the screen. It notes what it is asked for, and edits the text of the file.
type program struct{ *opened }

func (o program) Edit(ops []edit.Op, done func(error)) {
	if o.slow {
		o.slow = false
		o.late = append(o.late, func() { o.Edit(ops, done) })
		return
	}
	if o.refuse != nil {
		done(o.refuse)
		return
	}
	result, err := edit.Apply(o.source.File.Now.Source, ops...)
	if err == nil {
		after := config.Parse(path, result)
		if !after.Valid() {
			err = errors.New("the file would not be valid")
		} else {
			o.texts = append(o.texts, o.file())
			for _, op := range ops {
				o.note("%s", op)
			}
			o.write(string(result))
		}
	}
	done(err)
}

func (o program) noteOf(what string, choice model.Choice) {
	o.note("%s %s/%s", what, choice.Toolbox, choice.Server)
}

func (o program) Undoable(text string)       { o.note("undoable: %s", text) }
func (o program) Add(toolbox string)         { o.note("add to %s", toolbox) }
func (o program) Paste(text, toolbox string) { o.note("paste %q to %s", text, toolbox) }
func (o program) CanImport() bool            { return true }
func (o program) Import()                    { o.note("import") }
func (o program) Leave()                     { o.left++ }
func (o program) DropFiles(toolbox string, uris []fyne.URI) {
	o.note("drop %s to %s", uris[0].Name(), toolbox)
}

func (o program) ShowServer(choice model.Choice) {
	o.note("settings of %s/%s", choice.Toolbox, choice.Server)
	o.named = append(o.named, "shows "+choice.Server)
}

func (o program) ShowTool(at model.Choice, tool string) { o.note("tool %s of %s", tool, at.Server) }

func (o program) Renamed(from, to model.Choice) {
	o.named = append(o.named, fmt.Sprintf("%s/%s is %s/%s", from.Toolbox, from.Server, to.Toolbox, to.Server))
}

func (o program) Start(at model.Choice)                   { o.noteOf("start", at) }
func (o program) Stop(at model.Choice)                    { o.noteOf("stop", at) }
func (o program) Restart(at model.Choice)                 { o.noteOf("restart", at) }
func (o program) ShowLog(at model.Choice)                 { o.noteOf("log", at) }
func (o program) Fix(at model.Choice)                     { o.noteOf("fix", at) }
func (o program) StopAll(servers []model.Choice)          { o.note("stop all %v", servers) }
func (o program) ShowField(at model.Choice, field string) { o.note("field %s of %s", field, at.Server) }
func (o program) PutBack()                                { o.note("put back") }
func (o program) FixAll(done func(error))                 { o.note("repair everything"); done(nil) }
func (o program) ShowProblem(problem config.Diagnostic)   { o.note("show line %d", problem.Line) }
func (o program) OpenFile()                               { o.note("open the file") }
func (o program) OpenFolder()                             { o.note("open the folder") }
func (o program) Share(toolbox string)                    { o.note("share %s", toolbox) }
func (o program) PickFolder(done func(path string))       { done("~/work/shop") }
func (o program) ShowComputer()                           { o.note("show the computer") }

func (o program) ApplyFix(problem config.Diagnostic, done func(error)) {
	o.note("apply: %s", problem.Fix.Title)
	done(nil)
}

func open(t *testing.T, source *model.Snapshot, size fyne.Size) *opened {
	t.Helper()
	app := test.NewTempApp(t)
	app.Settings().SetTheme(theme.Theme{})
	return openIn(t, source, size)
}

func openIn(t *testing.T, source *model.Snapshot, size fyne.Size) *opened {
	o := &opened{t: t, source: source}
	o.Screen = New(program{o}, kit.NewText("the settings of a server", kit.TextStyle{}),
		&model.OpenedToolboxes{})
	o.window = test.NewTempWindow(t, kit.NewBox(kit.BoxStyle{Fill: theme.ColorBackground}, o.Object()))
	o.window.SetPadded(false)
	o.window.Resize(size)
	o.Apply(viewOf(source))
	return o
}

// seen lists all visible objects.
func seen(object fyne.CanvasObject) []fyne.CanvasObject { return kittest.Seen(object) }

// visible lists the visible texts.
func (o *opened) visible() []string {
	var texts []string
	for _, object := range seen(o.window.Content()) {
		switch object := object.(type) {
		case *kit.Text:
			if object.Visible() && object.Size().Width > 0 {
				texts = append(texts, object.Text())
			}
		case *kit.Lines:
			if object.Visible() && object.Size().Width > 0 {
				texts = append(texts, object.Text())
			}
		case *widget.RichText:
			texts = append(texts, object.String())
		case *widget.Label:
			texts = append(texts, object.Text)
		}
	}
	return texts
}

func (o *opened) reads(wanted ...string) {
	o.t.Helper()
	kittest.Reads(o.t, strings.Join(o.visible(), "\n"), wanted...)
}

func (o *opened) lacks(unwanted ...string) {
	o.t.Helper()
	kittest.Lacks(o.t, strings.Join(o.visible(), "\n"), unwanted...)
}

func (o *opened) button(label string) *kit.Button {
	for _, object := range seen(o.window.Content()) {
		if button, ok := object.(*kit.Button); ok && button.Visible() && button.AccessibilityLabel() == lang.L(label) {
			return button
		}
	}
	return nil
}

// tap clicks the first button with a label.
func (o *opened) tap(label string) {
	o.t.Helper()
	button := o.button(label)
	if button == nil {
		o.t.Fatalf("there is no button %q", label)
	}
	test.Tap(button)
}

// key presses keys in the focused widget.
func (o *opened) key(keys ...fyne.KeyName) {
	o.t.Helper()
	for _, key := range keys {
		focused := o.window.Canvas().Focused()
		if focused == nil {
			o.t.Fatalf("nothing has the focus for %s", key)
		}
		focused.TypedKey(&fyne.KeyEvent{Name: key})
		if key == fyne.KeySpace {
			focused.TypedRune(' ')
		}
	}
}

// shortcut presses a shortcut in the focused widget.
func (o *opened) shortcut(shortcut fyne.Shortcut) {
	o.t.Helper()
	focused, ok := o.window.Canvas().Focused().(fyne.Shortcutable)
	if !ok {
		o.t.Fatalf("%T takes no shortcuts", o.window.Canvas().Focused())
	}
	focused.TypedShortcut(shortcut)
}

// at returns a position in the row of a choice, in the content of the tree. part is the part of the height, where 0.5
// is the center.
func (o *opened) at(choice model.Choice, part float32) fyne.Position {
	o.t.Helper()
	row := o.tree.rowOf(choice)
	if row == noRow {
		o.t.Fatalf("the tree has no row for %+v", choice)
	}
	return fyne.NewPos(100, float32(row)*step+part*step)
}

func (o *opened) click(choice model.Choice) {
	o.t.Helper()
	o.tree.Tapped(&fyne.PointEvent{Position: o.at(choice, 0.5)})
}

// menu opens the menu of a row with the right mouse button and chooses items from it.
func (o *opened) menu(choice model.Choice, labels ...string) {
	o.t.Helper()
	at := fyne.NewPos(100, o.tree.MinSize().Height+1)
	if choice != (model.Choice{}) {
		at = o.at(choice, 0.5)
	}
	o.tree.TappedSecondary(&fyne.PointEvent{Position: at, AbsolutePosition: fyne.NewPos(100, 100)})
	overlays := o.window.Canvas().Overlays()
	popup := overlays.Top()
	if popup == nil {
		o.t.Fatal("no menu opens")
	}
	overlays.Remove(popup)
	items := o.menuFor(choice).Items
	for i, label := range labels {
		var found *fyne.MenuItem
		for _, item := range items {
			if words, _, _ := strings.Cut(item.Label, "   "); words == lang.L(label) {
				found = item
			}
		}
		switch {
		case found == nil:
			o.t.Fatalf("the menu has no %q", label)
		case found.Disabled:
			o.t.Fatalf("%q is disabled", label)
		case i < len(labels)-1:
			items = found.ChildMenu.Items
		default:
			found.Action()
		}
	}
}

// dragTo drags a row to a part of the height of another row, from 0 to 1, without releasing the mouse button.
func (o *opened) dragTo(from, to model.Choice, part float32) {
	o.t.Helper()
	start, end := o.at(from, 0.5), o.at(to, part)
	delta := end.Subtract(start)
	o.tree.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: start.AddXY(0, 4)},
		Dragged: fyne.NewDelta(0, 4)})
	o.tree.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: end},
		Dragged: fyne.NewDelta(delta.X, delta.Y-4)})
}

// drag drags a row and drops it.
func (o *opened) drag(from, to model.Choice, part float32) {
	o.t.Helper()
	o.dragTo(from, to, part)
	o.tree.DragEnd()
}

var (
	normal = fyne.NewSize(1024, 684) // the size of the screen in a window of 1100 × 720 pixels
	small  = fyne.NewSize(724, 524)
)

// testTime is the current time of the tests and pictures.
var testTime = time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)

// livelyText is a configuration in use: some servers are connected, one is installing, one cannot start.
const livelyText = `{"toolboxes": {
  "dev": {"description": "Development environment tools", "mcpServers": {
    "filesystem": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "/home/me"]},
    "memory": {"command": "npx", "args": ["-y", "server-memory"]}}},
  "research": {"description": "Find and read papers, search the web", "mcpServers": {
    "search": {"command": "npx", "args": ["-y", "server-search"]},
    "papers": {"command": "uvx", "args": ["mcp-papers"]},
    "arxiv": {"command": "uvx", "args": ["mcp-arxiv"]}}},
  "home": {"mcpServers": {
    "calendar": {"url": "https://example.com/mcp"},
    "notes": {"command": "notes-mcp", "disabled": true}}}
}}`

func lively(wrong bool) *model.Snapshot {
	document := config.Parse(path, []byte(livelyText))
	claude := model.Engine{ID: 1, Client: "Claude Desktop", Open: []string{"dev", "research"}, Servers: []status.Server{
		{Toolbox: "dev", Name: "filesystem", State: status.Connected, Since: testTime.Add(-time.Hour), Tools: 14,
			AllTools: 14},
		{Toolbox: "dev", Name: "memory", State: status.Connected, Since: testTime.Add(-time.Hour), Tools: 9, AllTools: 9},
		{Toolbox: "research", Name: "papers", State: status.Starting, Installing: true, Since: testTime.Add(-time.Minute)},
	}}
	source := &model.Snapshot{Good: document, File: model.File{Now: document}, Time: testTime,
		Tools: map[model.Choice][]model.Tool{
			{Toolbox: "dev", Server: "filesystem"}: tools("read_file write_file list_directory", 700, 14),
			{Toolbox: "dev", Server: "memory"}:     tools("create_entities search_nodes", 800, 9),
		}}
	if wrong {
		claude.Servers = append(claude.Servers,
			status.Server{Toolbox: "research", Name: "search", State: status.Failed, Since: testTime,
				Problem: &status.Problem{Kind: status.KindProgram,
					Message: words.Foreign("npx was not found by apps, though your terminal finds it"), Program: "npx"}})
	}
	source.Live = &model.Live{Config: document.Config, Engines: []model.Engine{claude}}
	return source
}

func tools(names string, bytes, count int) []model.Tool {
	var made []model.Tool
	for _, name := range strings.Fields(names) {
		made = append(made, model.Tool{Name: name, Bytes: bytes})
	}
	for len(made) < count {
		made = append(made, model.Tool{Name: fmt.Sprint("tool_", len(made)), Bytes: bytes})
	}
	return made
}

// from returns the snapshot of a file that has never changed.
func from(text string) *model.Snapshot {
	document := parse(text)
	source := &model.Snapshot{File: model.File{Now: document}, Time: testTime, Live: &model.Live{}}
	if document.Valid() {
		source.Good, source.Live.Config = document, document.Config
	}
	return source
}
