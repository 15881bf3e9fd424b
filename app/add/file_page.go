package add

import (
	"path/filepath"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/extension"
)

// filePage reads a file with servers. If the file is not an extension, its text is handled as if it had been pasted.
type filePage struct {
	dialog *Dialog
	root   fyne.CanvasObject
	choose *kit.Button
	path   *kit.Input
	said   *kit.Lines // the progress or a problem
	opened int        // the number of files opened, so that only the result of the last one is used
}

func newFilePage(d *Dialog) *filePage {
	p := &filePage{dialog: d, said: kit.NewParagraph("", kit.TextStyle{Align: fyne.TextAlignCenter})}
	p.choose = kit.NewButton(lang.L("Choose a file"), widget.HighImportance, func() { d.program.ChooseFile(p.open) })
	p.choose.SetIcon(base.FolderOpenIcon())
	p.path = d.input(lang.L("Or type its path and press Enter"), "", nil)
	p.path.OnSubmitted = p.open
	p.root = kit.NewEmpty(520, base.NewColoredResource(base.DocumentIcon(), theme.ColorMuted),
		lang.L("From a file"),
		lang.L("Choose an extension (.mcpb or .dxt), a shared toolbox (.toolbox.json), or the settings file of another "+
			"app, such as claude_desktop_config.json, mcp.json or config.toml. You can also drop it on the window."),
		p.choose, p.path, p.said)
	return p
}

func (p *filePage) open(path string) {
	if path == "" {
		return
	}
	p.said.Set("")
	p.opened++
	attempt := p.opened
	// wanted reports whether the user still waits for a result that can be used. It shows the error if there is one.
	wanted := func(err error) bool {
		if p.dialog.closed || p.dialog.step != stepChoose || attempt != p.opened {
			return false
		}
		p.said.Set("")
		if err != nil {
			p.said.Set(unreadable(path, err))
		}
		p.root.Refresh()
		return err == nil
	}
	if extension.Named(path) {
		p.said.Set(lang.L("Reading…"))
		p.dialog.program.ReadExtension(path, func(x *extension.Extension, err error) {
			if wanted(err) {
				p.dialog.take([]*candidate{fromExtension(x)}, nil)
			}
		})
		return
	}
	p.dialog.program.ReadFile(path, func(text string, err error) {
		if !wanted(err) {
			return
		}
		if p.dialog.Offer(text); p.dialog.step == stepChoose {
			p.dialog.chooser.focus()
		}
	})
}

// unreadable returns a text that says why a file cannot be used.
func unreadable(path string, err error) string {
	return lang.L("“{{.Name}}” cannot be read: {{.Why}}",
		map[string]any{"Name": filepath.Base(path), "Why": kit.SayError(err)})
}

func (p *filePage) object() fyne.CanvasObject { return p.root }
func (p *filePage) focus()                    { p.dialog.focus(p.choose) }
func (p *filePage) ready() (func(), string)   { return nil, "" }
