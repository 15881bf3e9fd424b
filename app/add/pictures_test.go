package add

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/kit/drawn"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/catalogue"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/extension"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

const severalText = `{
  "mcpServers": {
    "filesystem": {
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-filesystem", "/path/to/allowed/dir"]
    },
    "github": {
      "command": "docker",
      "args": ["run", "-i", "--rm", "-e", "GITHUB_PERSONAL_ACCESS_TOKEN", "ghcr.io/github/github-mcp-server"],
      "env": {"GITHUB_PERSONAL_ACCESS_TOKEN": "ghp_abcdefghijklmnopqrstuvwxyz0123456789"},
      "autoApprove": ["x"], "timeout": 5, "gallery": true
    },
    "memory": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-memory"]}
  }
}`

// scenes returns the states of the dialog that are drawn.
func scenes() map[string]func(o *opened, size fyne.Size) {
	take := func(o *opened, id string) {
		e, _ := catalogue.Find(id)
		o.chooser.catalogue.take(e)
	}
	trying := func(o *opened, size fyne.Size, text string) {
		o.show(size, Start{Text: text})
		o.chooser.next()
		o.review.add()
	}
	return map[string]func(o *opened, size fyne.Size){
		"review-extension": func(o *opened, size fyne.Size) {
			o.missing = []string{"node"}
			o.system = ann("/home/ann/.local/share/workbench/extensions") // nothing is unpacked
			o.show(size, Start{Files: []File{{Name: "notes.mcpb", Extension: o.extension(notesManifest)}}})
		},
		"review-extension-filled": func(o *opened, size fyne.Size) {
			o.show(size, Start{Files: []File{{Name: "notes.mcpb", Extension: o.extension(notesManifest)}}})
			o.fill("Key", "abcdefghijkl")
			o.fill("Most notes", "500")
			o.review.page.Reveal(o.review.cards[0].fields[5].root)
		},
		"file-extension-refused": func(o *opened, size fyne.Size) {
			o.show(size, Start{Way: WayFile})
			o.chooser.file.open(o.bundle("notes.mcpb",
				strings.Replace(notesManifest, `"version"`, `"compatibility": {"platforms": ["darwin", "win32"]}, "version"`, 1)))
		},
		"dropped-refused": func(o *opened, size fyne.Size) {
			o.show(size, Start{Files: []File{
				{Name: "notes.mcpb", Err: &extension.Error{Message: words.Foreign("It is for macOS and Windows, not for Linux."),
					Hint: words.Foreign("Look for an edition for Linux, or for another server that does the same.")}},
				{Name: "calendar.dxt", Err: &extension.Error{
					Message: words.Foreign("The file is damaged: its list of files is not whole."),
					Hint:    words.Foreign("Download it again.")}},
			}})
		},
		"catalogue": func(o *opened, size fyne.Size) {
			o.missing = []string{"uvx"}
			o.show(size, Start{})
		},
		"catalogue-search": func(o *opened, size fyne.Size) {
			o.show(size, Start{})
			o.chooser.catalogue.search.SetText("search")
		},
		"catalogue-nothing": func(o *opened, size fyne.Size) {
			registryIn(o)
			o.show(size, Start{})
			o.chooser.catalogue.search.SetText("quantum")
		},
		"paste-empty": func(o *opened, size fyne.Size) { o.show(size, Start{Way: WayPaste}) },
		"paste-found": func(o *opened, size fyne.Size) { o.show(size, Start{Text: severalText}) },
		"paste-unrecognised": func(o *opened, size fyne.Size) {
			o.show(size, Start{Text: "https://github.com/modelcontextprotocol/servers"})
		},
		"file": func(o *opened, size fyne.Size) { o.show(size, Start{Way: WayFile}) },
		"hand": func(o *opened, size fyne.Size) { o.show(size, Start{Way: WayHand}) },
		"review-catalogue": func(o *opened, size fyne.Size) {
			o.missing = []string{"npx"}
			o.show(size, Start{})
			take(o, "filesystem")
		},
		"review-secret": func(o *opened, size fyne.Size) {
			o.show(size, Start{Toolbox: "research"})
			take(o, "supabase")
			o.review.cards[0].fields[0].first.(interface{ SetText(string) }).SetText("sbp_abcdefghijklmnopqrstuvwxyz")
		},
		"review-several": func(o *opened, size fyne.Size) {
			o.show(size, Start{Text: severalText})
			o.chooser.next()
		},
		"review-taken": func(o *opened, size fyne.Size) {
			o.show(size, Start{Text: "npx -y @modelcontextprotocol/server-memory"})
			o.chooser.next()
		},
		"review-new-toolbox": func(o *opened, size fyne.Size) {
			o.toolboxes = nil
			o.show(size, Start{Text: "https://mcp.deepwiki.com/mcp"})
			o.chooser.next()
		},
		"review-hostile": func(o *opened, size fyne.Size) {
			o.show(size, Start{Text: hostileText})
			o.chooser.next()
		},
		"review-agree": func(o *opened, size fyne.Size) {
			o.show(size, Start{Text: agreeText})
			o.chooser.next()
		},
		"review-huge": func(o *opened, size fyne.Size) {
			o.show(size, Start{Text: `{"mcpServers":{"huge":{"command":"sh","args":["-c","` +
				strings.Repeat("echo one two three; ", 4000) + `"]}}}`})
			o.chooser.next()
		},
		"asking": func(o *opened, size fyne.Size) {
			o.show(size, Start{Text: severalText})
			o.escape()
		},
		"trying": func(o *opened, size fyne.Size) {
			trying(o, size, "uvx mcp-server-time")
			o.report(status.Server{State: status.Starting, Installing: true})
		},
		"works": func(o *opened, size fyne.Size) {
			trying(o, size, "uvx mcp-server-time")
			for _, name := range []string{"read_note", "list_notes", "search_notes", "add_note", "delete_note"} {
				o.tools = append(o.tools, status.Tool{Name: name})
			}
			o.done(status.Server{State: status.Connected, Tools: 14, AllTools: 14})
		},
		"failed": func(o *opened, size fyne.Size) {
			trying(o, size, "uvx mcp-server-time")
			o.done(status.Server{State: status.Failed,
				Problem: &status.Problem{Kind: status.KindProgram, Message: words.Foreign(`"uvx" was not found`),
					Hint: words.Foreign("install uv, or write the whole path of the program"), Program: "uvx"}})
		},
		"several-tried": func(o *opened, size fyne.Size) {
			trying(o, size, `{"mcpServers":{"time":{"command":"uvx","args":["mcp-server-time"]},"fetch":{"command":"uvx","args":["mcp-server-fetch"]},"deepwiki":{"url":"https://mcp.deepwiki.com/mcp"},"git":{"command":"uvx","args":["mcp-server-git"]},"off":{"command":"x","disabled":true}}}`)
			o.done(status.Server{State: status.SignIn,
				Problem: &status.Problem{Kind: status.KindSignIn, Message: words.Foreign("the server wants a sign-in")}})
		},
	}
}

// TestScenes draws every state of the dialog in both sizes and checks that none needs more room than there is. If
// WORKBENCH_PICTURES names a folder, it saves light and dark pictures of them there.
func TestScenes(t *testing.T) {
	for name, scene := range scenes() {
		for tag, size := range map[string]fyne.Size{"": normal, "-small": small_} {
			for tone, look := range drawn.Looks(size) {
				t.Run(name+tag+"-"+tone, func(t *testing.T) {
					o := newOpened(t)
					fyne.CurrentApp().Settings().SetTheme(look.Begin(t))
					scene(o, size)
					if o.window.Canvas().Overlays().Top() == nil {
						t.Fatal("the dialog is not open")
					}
					if least := o.sheet.MinSize(); least.Width > size.Width-2*kit.SheetMargin ||
						least.Height > size.Height-2*kit.SheetMargin {
						t.Errorf("the dialog needs %v in a window of %v", least, size)
					}
					if got := o.window.Canvas().Size(); got != size {
						t.Errorf("the window became %v", got)
					}
					drawn.Keep(t, o.window.Canvas(), name+tag+"-"+tone)
				})
			}
		}
	}
}
