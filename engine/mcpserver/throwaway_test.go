package mcpserver

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
)

// TestThrowAwayCopy: an app that only asks which versions we know starts no server, even of a toolbox that is always
// open, and nobody is told of the app before it does more.
func TestThrowAwayCopy(t *testing.T) {
	const discover = `{"jsonrpc":"2.0","id":0,"method":"server/discover","params":{` + modernMeta + `}}`
	for name, more := range map[string]string{
		"nothing more": "",
		"a list":       `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{` + modernMeta + `}}`,
		"prompts":      `{"jsonrpc":"2.0","id":1,"method":"prompts/list","params":{` + modernMeta + `}}`,
		"a call":       `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"close_toolbox","arguments":{"toolbox_name":"dev"},` + modernMeta + `}}`,
		"a stream":     `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},` + modernMeta + `}}`,
		"initialize":   greeting,
	} {
		t.Run(name, func(t *testing.T) {
			started := filepath.Join(t.TempDir(), "pid")
			cfg := echoToolbox(fakeserver.Script{PidFile: started})
			cfg.Toolboxes[0].Open = true
			greeted := make(chan string, 8)
			c := dial(t, cfg, Options{Identified: func(name, version string) { greeted <- name + " " + version }})
			c.send(discover)
			c.expect("0", `"2026-07-28"`)
			if len(greeted) > 0 {
				t.Errorf("%s is told of after server/discover alone", <-greeted)
			}
			if more == "" {
				c.send(discover)
				c.expect("0", `"2026-07-28"`)
				if len(greeted) > 0 {
					t.Errorf("%s is told of after server/discover alone", <-greeted)
				}
				if _, err := os.Stat(started); !errors.Is(err, fs.ErrNotExist) {
					t.Errorf("the server was started: %v", err)
				}
				return
			}
			c.send(more)
			c.receive()
			got := []string{<-greeted}
			for len(greeted) > 0 {
				got = append(got, <-greeted)
			}
			if !slices.Equal(got, []string{"x 1"}) {
				t.Errorf("told of %q", got)
			}
		})
	}
}
