package add

import (
	"errors"
	"io"
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/storage"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/extension"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/paste"
)

// Drop begins to add what was dropped on a toolbox: extensions, what text files have in them, or links.
func (s *Service) Drop(toolbox string, uris []fyne.URI) {
	if len(uris) == 0 {
		return
	}
	if len(uris) > maxDropped {
		s.options.Window.Say(lang.L("These are {{.Count}} files. Drop at most {{.Most}} at a time.", map[string]any{"Count": len(uris), "Most": maxDropped}))
		return
	}
	s.options.Tasks.Background(func() {
		files := make([]File, len(uris))
		for i, uri := range uris {
			files[i].Name = uri.Name()
			if uri.Scheme() == "file" && extension.Named(uri.Path()) && droppedLink(uri) == "" {
				files[i].Extension, files[i].Err = readExtension(s.options.Tasks.Context(), filepath.FromSlash(uri.Path()))
				continue
			}
			if files[i].Text = droppedLink(uri); files[i].Text == "" {
				files[i].Text, files[i].Err = readSnippet(func() (io.ReadCloser, error) { return storage.Reader(uri) })
			}
		}
		s.options.Tasks.Do(func() {
			switch {
			case len(files) == 1 && files[0].Err != nil:
				s.options.Window.Fail(errors.New(lang.L("“{{.Name}}” cannot be read: {{.Why}}", map[string]any{"Name": kit.Line(files[0].Name), "Why": kit.SayError(files[0].Err)})))
			case len(files) == 1 && files[0].Extension == nil:
				s.Open(Start{Text: files[0].Text, Toolbox: toolbox})
			default:
				s.Open(Start{Files: files, Toolbox: toolbox})
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

// readSnippet reads a text that is no larger than what is looked at for servers.
func readSnippet(open func() (io.ReadCloser, error)) (string, error) {
	file, err := open()
	if err != nil {
		return "", err
	}
	defer file.Close()
	return paste.ReadFrom(file)
}
