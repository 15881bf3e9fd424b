package app

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/storage"

	"github.com/workbench-mcp/workbench-desktop/app/add"
	"github.com/workbench-mcp/workbench-desktop/app/editor"
	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/toolboxes"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/edit"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/extension"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/keychain"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/paste"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// addServer opens the dialog that adds servers, or gives what was pasted to the one that is open.
func (d *controller) addServer(start add.Start) {
	if d.adding != nil {
		if start.Text != "" {
			d.adding.Offer(start.Text)
		}
		d.adding.OfferFiles(start.Files)
		return
	}
	if d.now.view.Broken && d.now.File.Now != nil && len(d.now.File.Now.Source) > 0 && d.now.Good == nil {
		d.say(lang.L("The configuration has an error that must be corrected first."))
		return
	}
	d.detail.editor.Commit()
	d.choose(placeToolboxes)
	d.adding = add.Show(d.window.window, d.addActions(), start)
}

// addHere opens the dialog for the toolbox that is selected.
func (d *controller) addHere() { d.addServer(add.Start{Toolbox: d.screen.Selected().Toolbox}) }

func (d *controller) addActions() add.Actions {
	return add.Actions{
		Toolboxes: func() []string { return d.now.ToolboxNames() },
		Taken:     func(toolbox string) []string { return d.now.ServerNames(toolbox) },
		Add:       d.addServers,
		Try:       d.try,
		KeepInKeychain: func(name, value string, done func(error)) {
			d.tasks.After(func() error { return keychain.System().Set(name, value) }, done)
		},
		LookPath: func(command string, found func(bool)) {
			d.lookPath(config.Server{Transport: config.TransportStdio, Command: command}, func(_ string, err error) { found(err == nil) })
		},
		ChooseFile:   d.pickFile,
		ChooseFolder: d.pickFolder,
		ReadFile: func(path string, done func(string, error)) {
			d.readText(func() (io.ReadCloser, error) { return os.Open(path) }, done)
		},
		ReadExtension: d.openExtension,
		Unpack: func(ctx context.Context, x *extension.Extension, done func(func(), error)) {
			d.unpack(ctx, x, done)
		},
		OpenURL: d.openURL,
		Edit: func(toolbox, server, _ string) {
			d.showTab(toolboxes.Choice{Toolbox: toolbox, Server: server}, editor.TabSetup)
		},
		ShowLog: func(toolbox, server string) {
			d.showTab(toolboxes.Choice{Toolbox: toolbox, Server: server}, editor.TabLog)
		},
		SignIn: d.signInAdded(),
		Closed: func() { d.adding = nil },
	}
}

// addServers writes servers into a toolbox, and shows the first of them.
func (d *controller) addServers(toolbox string, newToolbox bool, servers []add.Server, done func(error)) {
	var ops []edit.Op
	if newToolbox {
		ops = append(ops, edit.AddToolbox{Name: toolbox})
	}
	for _, server := range servers {
		ops = append(ops, edit.AddServer{Toolbox: toolbox, Name: server.Name, Entry: server.Entry})
	}
	d.edit(ops, func(err error) {
		if err == nil && len(servers) > 0 {
			d.screen.Select(toolboxes.Choice{Toolbox: toolbox})
		}
		done(err)
	})
}

// try starts a server in the app's own engine, and tells how that goes until it is connected or has failed.
func (d *controller) try(ctx context.Context, toolbox, server string, report, done func(status.Server)) {
	ctx, stop := d.tasks.Join(ctx)
	d.tasks.Background(func() {
		defer stop()
		last := d.engines.Try(ctx, toolbox, server, func(now status.Server) { d.tasks.Do(func() { report(now) }) })
		if ctx.Err() == nil {
			d.tasks.Do(func() { done(last) })
		}
	})
}

// dropFiles begins to add what was dropped on a toolbox: extensions, what text files have in them, or links.
func (d *controller) dropFiles(toolbox string, uris []fyne.URI) {
	if len(uris) == 0 {
		return
	}
	if len(uris) > maxDropped {
		d.say(lang.L("These are {{.Count}} files. Drop at most {{.Most}} at a time.", map[string]any{"Count": len(uris), "Most": maxDropped}))
		return
	}
	d.tasks.Background(func() {
		files := make([]add.File, len(uris))
		for i, uri := range uris {
			files[i].Name = uri.Name()
			if uri.Scheme() == "file" && extension.Named(uri.Path()) && droppedLink(uri) == "" {
				files[i].Extension, files[i].Err = readExtension(d.tasks.Context(), filepath.FromSlash(uri.Path()))
				continue
			}
			if files[i].Text = droppedLink(uri); files[i].Text == "" {
				files[i].Text, files[i].Err = readSnippet(func() (io.ReadCloser, error) { return storage.Reader(uri) })
			}
		}
		d.tasks.Do(func() {
			switch {
			case len(files) == 1 && files[0].Err != nil:
				d.fail(errors.New(lang.L("“{{.Name}}” cannot be read: {{.Why}}", map[string]any{"Name": kit.Line(files[0].Name), "Why": kit.SayError(files[0].Err)})))
			case len(files) == 1 && files[0].Extension == nil:
				d.addServer(add.Start{Text: files[0].Text, Toolbox: toolbox})
			default:
				d.addServer(add.Start{Files: files, Toolbox: toolbox})
			}
		})
	})
}

// maxDropped is how many files are looked at when they are dropped together; a folder full of them is dropped by mistake.
const maxDropped = 50

// droppedLink is the address of a link that was dropped, as from a browser; empty for a file. Fyne takes all that is dropped for the
// paths of files, and makes them absolute.
func droppedLink(uri fyne.URI) string {
	here, err := filepath.Abs(".")
	if err != nil {
		return ""
	}
	path := strings.TrimPrefix(uri.Path(), strings.TrimSuffix(filepath.ToSlash(here), "/")+"/")
	for _, scheme := range []string{"https:/", "http:/"} {
		if rest, ok := strings.CutPrefix(path, scheme); ok {
			return scheme + "/" + strings.TrimPrefix(rest, "/")
		}
	}
	return ""
}

// readText reads a text that is no larger than what is looked at for servers.
func (d *controller) readText(open func() (io.ReadCloser, error), done func(string, error)) {
	d.tasks.Background(func() {
		text, err := readSnippet(open)
		d.tasks.Do(func() { done(text, err) })
	})
}

func readSnippet(open func() (io.ReadCloser, error)) (string, error) {
	file, err := open()
	if err != nil {
		return "", err
	}
	defer file.Close()
	return paste.ReadFrom(file)
}
