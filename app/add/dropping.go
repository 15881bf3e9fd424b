package add

import (
	"errors"
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/storage"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/task"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/extension"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/foreign"
)

// Drop handles what was dropped on a toolbox: extensions, text files with servers, or links.
func (s *Service) Drop(toolbox string, uris []fyne.URI) {
	if len(uris) == 0 {
		return
	}
	if len(uris) > maxDropped {
		s.options.Window.Say(lang.L("These are {{.Count}} files. Drop at most {{.Most}} at a time.",
			map[string]any{"Count": len(uris), "Most": maxDropped}))
		return
	}
	if s.behind() {
		s.SayNotOpened()
		return
	}
	task.Find(s.options.Tasks, func() (files []File) {
		for _, uri := range uris {
			files = append(files, s.read(uri))
		}
		return files
	}, func(files []File) {
		if s.behind() { // it was opened while the files were read
			s.SayNotOpened()
			return
		}
		s.openFiles(files, Start{Toolbox: toolbox})
	})
}

// behind reports whether something is open that would be covered: not the dialog itself, which takes what is dropped.
func (s *Service) behind() bool {
	open := len(s.options.Window.Window.Canvas().Overlays().List())
	return open > 1 || open == 1 && s.dialog == nil
}

// OpenFile shows the review of a file that another program has passed to Workbench, and does nothing else. It replaces
// nothing that is open, not even what was opened while the file was read. Only one file is read at a time.
func (s *Service) OpenFile(path string) {
	if s.reading || s.covered() {
		s.SayNotOpened()
		return
	}
	s.reading = true
	task.Find(s.options.Tasks, func() File { return s.read(storage.NewFileURI(path)) }, func(file File) {
		s.reading = false
		if s.covered() {
			s.SayNotOpened()
			return
		}
		s.openFiles([]File{file}, Start{Unasked: true})
	})
}

// covered reports whether the dialog or something else is open over the window.
func (s *Service) covered() bool {
	return s.dialog != nil || s.options.Window.Window.Canvas().Overlays().Top() != nil
}

// SayNotOpened tells the user that a file or link from another program was not opened.
func (s *Service) SayNotOpened() {
	text := lang.L("A file or link was not opened, because something else is open here. Close that, then open the " +
		"file or link again.")
	s.options.Window.Say(text)
	if s.dialog != nil { // The dialog covers the message of the window.
		s.dialog.Say(text)
	}
}

// read reads a dropped file or link.
func (s *Service) read(uri fyne.URI) File {
	file := File{Name: uri.Name()}
	if uri.Scheme() == "file" && extension.Named(uri.Path()) && droppedLink(uri) == "" {
		file.Extension, file.Err = readExtension(s.options.Tasks.Context(), filepath.FromSlash(uri.Path()))
		return file
	}
	if file.Text = droppedLink(uri); file.Text == "" {
		file.Text, file.Err = foreign.ReadFile(filepath.FromSlash(uri.Path()))
	}
	return file
}

// openFiles opens the dialog with the files.
func (s *Service) openFiles(files []File, start Start) {
	switch {
	case len(files) == 1 && files[0].Err != nil:
		s.options.Window.Fail(errors.New(
			lang.L("“{{.Name}}” cannot be read: {{.Why}}",
				map[string]any{"Name": kit.Line(files[0].Name), "Why": kit.SayError(files[0].Err)})))
		return
	case len(files) == 1 && files[0].Extension == nil:
		start.Text = files[0].Text
	default:
		start.Files = files
	}
	s.Open(start)
}

// maxDropped is the most files that can be dropped together. Whoever drops more has most likely dropped a folder by
// mistake.
const maxDropped = 50

// droppedLink returns the address of a link dropped from a browser, or "" for a file. Fyne treats everything that is
// dropped as the path of a file, and makes it absolute.
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
