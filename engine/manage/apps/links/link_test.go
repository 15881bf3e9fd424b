package links

import (
	"encoding/base64"
	"net/url"
	"strings"
	"testing"
)

// TestRead checks which links are accepted.
func TestRead(t *testing.T) {
	entry := `{"command":"npx","args":["-y","@upstash/context7-mcp"]}`
	for _, link := range []string{
		"workbench://add?name=context7&config=" + base64.URLEncoding.EncodeToString([]byte(entry)),
		"WORKBENCH://add/?name=context7&config=" + url.QueryEscape(entry),
		"workbench:add?name=context7&config=" + url.QueryEscape(entry),
	} {
		found, err := Read(link)
		if err != nil || len(found.Entries) != 1 || found.Entries[0].Server.Name != "context7" ||
			found.Entries[0].Server.Command != "npx" || !found.Entries[0].FromLink {
			t.Errorf("%s: %+v, %v", link, found, err)
		}
	}
	many := `{"mcpServers":{` + strings.TrimSuffix(strings.Repeat(`"a":{"command":"npx"},`, 1), ",")
	for i := range 20 {
		many += `,"s` + strings.Repeat("x", i) + `":{"command":"npx","args":["` + strings.Repeat("y", i+1) + `"]}`
	}
	many += "}}"
	for name, link := range map[string]string{
		"another scheme": "cursor://anysphere.cursor-deeplink/mcp/install?name=x&config=" + url.QueryEscape(entry),
		"a command":      "workbench://run?command=calc.exe",
		"another action": "workbench://remove?name=x&config=" + url.QueryEscape(entry),
		"nothing":        "workbench:",
		"no entry":       "workbench://add?name=x",
		"broken":         "workbench://add?name=x&config=%zz",
		"a second line":  "workbench://add?name=x&config=" + url.QueryEscape(entry) + "\nnpx evil",
		"a space":        "workbench://add?name=x npx -y evil",
		"an escape":      "workbench://add?name=\x1b[2J&config=" + url.QueryEscape(entry),
		"other letters":  "workbench://add?name=\u202e&config=" + url.QueryEscape(entry),
		"too long": "workbench://add?name=x&config=" +
			url.QueryEscape(`{"command":"`+strings.Repeat("x", MaxLength)+`"}`),
		"too many servers": "workbench://add?config=" + url.QueryEscape(many),
		"markup":           "workbench:[x](https://evil.example/mcp)",
		"JSON behind it":   `workbench:{"mcpServers":{"x":{"command":"sh"}}}`,
	} {
		if found, err := Read(link); err == nil {
			t.Errorf("%s is read: %+v", name, found)
		}
	}
}

// FuzzRead checks that Read returns only entries that are marked as coming from a link, whatever the link
// says.
func FuzzRead(f *testing.F) {
	f.Add("workbench://add?name=x&config=%7B%22command%22%3A%22sh%22%7D")
	f.Add("workbench:add?config=e30=")
	f.Fuzz(func(t *testing.T, link string) {
		found, err := Read(link)
		if err != nil {
			return
		}
		if len(found.Entries) == 0 || len(found.Entries) > maxServers || !Is(link) {
			t.Errorf("%q: %d servers", link, len(found.Entries))
		}
		for _, entry := range found.Entries {
			if !entry.FromLink {
				t.Errorf("%q: %+v", link, entry)
			}
		}
	})
}
