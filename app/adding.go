package app

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/storage"

	"github.com/workbench-mcp/workbench-desktop/app/add"
	"github.com/workbench-mcp/workbench-desktop/app/editor"
	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/toolboxes"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/ipc"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/edit"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/extension"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/keychain"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/paste"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
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
	if d.now.view.Broken && d.now.file.Now != nil && len(d.now.file.Now.Source) > 0 && d.now.good == nil {
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
		Toolboxes: d.toolboxNames,
		Taken:     d.serverNames,
		Add:       d.addServers,
		Try:       d.try,
		KeepInKeychain: func(name, value string, done func(error)) {
			d.after(func() error { return keychain.System().Set(name, value) }, done)
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

// after has work done in the background, and done told on the goroutine of the window how it ended.
func (d *controller) after(work func() error, done func(error)) {
	d.background(func() {
		err := work()
		d.do(func() { done(err) })
	})
}

// later does something on the goroutine of the window when a time has passed, unless it is stopped before.
func (d *controller) later(wait time.Duration, f func()) (stop func()) {
	timer := time.AfterFunc(wait, func() { d.do(f) })
	return func() { timer.Stop() }
}

func (d *controller) toolboxNames() []string {
	var names []string
	for _, toolbox := range d.now.view.Toolboxes {
		names = append(names, toolbox.Name)
	}
	return names
}

func (d *controller) serverNames(name string) []string {
	var names []string
	for _, toolbox := range d.now.view.Toolboxes {
		if toolbox.Name == name {
			for _, server := range toolbox.Servers {
				names = append(names, server.Name)
			}
		}
	}
	return names
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
	ctx, stop := context.WithCancel(ctx)
	context.AfterFunc(d.commands.ctx, stop)
	engine, ok := d.commands.ownEngine()
	d.background(func() {
		defer stop()
		if !ok {
			engine, ok = d.awaitOwn(ctx)
		}
		last := d.trial(ctx, engine, toolbox, server, func(now status.Server) { d.do(func() { report(now) }) })
		if ctx.Err() == nil {
			d.do(func() { done(last) })
		}
	})
}

// awaitOwn waits for the app's own engine, which takes a moment at the start.
func (d *controller) awaitOwn(ctx context.Context) (ipc.EngineID, bool) {
	changed, cancel := d.hub.Subscribe()
	defer cancel()
	for {
		if engine, ok := d.commands.ownEngine(); ok {
			return engine, true
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return 0, false
		}
	}
}

// trial starts a server and returns how it is when that has ended.
func (d *controller) trial(ctx context.Context, engine ipc.EngineID, toolbox, server string, report func(status.Server)) status.Server {
	changed, cancel := d.local.manager.Subscribe()
	defer cancel()
	ended := make(chan error, 1)
	d.background(func() { ended <- d.hub.Restart(ctx, engine, toolbox, server) })
	for {
		select {
		case <-changed:
			report(d.ownStatus(toolbox, server))
		case err := <-ended:
			now := d.ownStatus(toolbox, server)
			if err != nil && now.Problem == nil {
				now.State, now.Since = status.Failed, time.Now()
				now.Problem = &status.Problem{Kind: status.KindOther, Message: words.Of(err)}
			}
			return now
		}
	}
}

// ownStatus is how a server is doing in the app's own engine. It can be called on any goroutine.
func (d *controller) ownStatus(toolbox, server string) status.Server {
	for _, now := range d.local.manager.Status().Servers {
		if now.Toolbox == toolbox && now.Name == server {
			return now
		}
	}
	return status.Server{Toolbox: toolbox, Name: server, State: status.NotStarted}
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
	d.background(func() {
		files := make([]add.File, len(uris))
		for i, uri := range uris {
			files[i].Name = uri.Name()
			if uri.Scheme() == "file" && extension.Named(uri.Path()) && droppedLink(uri) == "" {
				files[i].Extension, files[i].Err = readExtension(d.commands.ctx, filepath.FromSlash(uri.Path()))
				continue
			}
			if files[i].Text = droppedLink(uri); files[i].Text == "" {
				files[i].Text, files[i].Err = readSnippet(func() (io.ReadCloser, error) { return storage.Reader(uri) })
			}
		}
		d.do(func() {
			switch {
			case len(files) == 1 && files[0].Err != nil:
				d.fail(errors.New(lang.L("“{{.Name}}” cannot be read: {{.Why}}", map[string]any{"Name": kit.Line(files[0].Name), "Why": files[0].Err.Error()})))
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
	d.background(func() {
		text, err := readSnippet(open)
		d.do(func() { done(text, err) })
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
