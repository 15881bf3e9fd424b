package mcpserver

import (
	"slices"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

func TestFolderOf(t *testing.T) {
	for _, tt := range []struct{ goos, uri, want string }{
		{"linux", "file:///home/ana/shop", "/home/ana/shop"},
		{"linux", "file:///home/ana/two%20words/%C3%A4", "/home/ana/two words/ä"},
		{"linux", "file://localhost/home/ana", "/home/ana"},
		{"linux", "vscode-remote://ssh/home/ana", ""},
		{"linux", "/home/ana", ""},
		{"linux", "file:", ""},
		{"windows", "file:///c%3A/Users/ana", `c:\Users\ana`},
		{"windows", "file:///C:/Users/ana", `C:\Users\ana`},
		{"windows", "file://server/share/shop", `\\server\share\shop`},
		{"windows", "file:///c:", "c:"},
	} {
		if got := folderOf(tt.goos, tt.uri); got != tt.want {
			t.Errorf("%s on %s is %q, want %q", tt.uri, tt.goos, got, tt.want)
		}
	}
}

// FuzzFoldersOf: whatever a client says its roots are, they are folders, and not too many.
func FuzzFoldersOf(f *testing.F) {
	f.Add([]byte(`{"roots":[{"uri":"file:///a","name":"a"},{"uri":"file://b/c%00"},{"uri":7},null]}`))
	f.Add([]byte(`{"roots":{}}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		if _, err := jsonrpc.Members(raw); err != nil {
			return
		}
		folders := foldersOf(raw)
		if len(folders) > maxRoots || slices.Contains(folders, "") {
			t.Errorf("%q", folders)
		}
		_ = (&config.Toolbox{Folders: []string{"/a"}}).SeenIn(config.Lookup{}, folders)
	})
}
