package clients

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"
)

func TestDiffHidesSecrets(t *testing.T) {
	p := newPlace(t)
	for id, text := range map[string]string{
		"cursor": `{"mcpServers": {"a": {"env": {"API_TOKEN": "p\"ss-1234567", "N": "1"}, "headers": {"X-Key": "abc-def-ghi"}, "args": ["--token=tok-987654321"]}}}` + "\n",
		"codex": "[mcp_servers.a]\nargs = ['--token=tok-987654321']\nenv = {API_TOKEN = 'p\"ss-1234567'}\nhttp_headers " +
			"= {X = 'abc-def-ghi'}\n",
		"goose": "extensions:\n  a:\n    envs:\n      API_TOKEN: p\"ss-1234567\n      SHORT: pw\n",
	} {
		p.put(p.file(id), text)
		plan := p.must(p.PlanConnect(rowOf(t, id), p.launch))
		diff := plan.Diff(plan.Changes[0])
		for _, hidden := range []string{"ss-1234567", "abc-def-ghi", "tok-987654321", "SHORT: pw"} {
			if strings.Contains(diff, hidden) {
				t.Errorf("%s:\n%s", id, diff)
			}
		}
		if !strings.Contains(diff, filepath.Base(p.launch.Config)) ||
			!bytes.Contains(plan.Changes[0].After, []byte("workbench")) {
			t.Errorf("%s:\n%s", id, diff)
		}
	}
}

// TestDiffOfALongLine: some apps write their whole file on one line. The change must be visible, and a cut
// must not show a part of a secret.
func TestDiffOfALongLine(t *testing.T) {
	p := newPlace(t)
	secret := strings.Repeat("sEcReT+", 300)
	for name, text := range map[string]string{
		"before": `{"x": "` + strings.Repeat("y ", 2<<20) +
			`", "mcpServers": {"a": {"command": "x", "env": {"API_TOKEN": "` + secret + `"}}}}`,
		"behind": `{"mcpServers": {}, "env": {"API_TOKEN": "` + secret + `"}, "x": "` + strings.Repeat("y ", 2<<20) + `"}`,
		"above": `{"env": {"API_TOKEN": "` + secret + `"}, "x": "` + strings.Repeat("y ", 2<<20) + `",` + "\n" +
			`"mcpServers": {` + "\n}}\n",
	} {
		p.put(p.file("cursor"), text)
		plan := p.must(p.PlanConnect(rowOf(t, "cursor"), p.launch))
		diff := plan.Diff(plan.Changes[0])
		if len(diff) > 8<<10 || !strings.Contains(diff, `"--client", "cursor"`) || strings.Contains(diff, "sEcReT") {
			t.Errorf("%s: %d bytes:\n%.4000s", name, len(diff), diff)
		}
	}
}

// TestDiffInALine: text that is put into a line is near the beginning of the excerpt, where a window shows
// it.
func TestDiffInALine(t *testing.T) {
	p := newPlace(t)
	p.put(p.file("cursor"), `{"mcpServers": {"files": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "/home/ada/Documents", "/home/ada/Pictures"]}}}`)
	plan := p.must(p.PlanConnect(rowOf(t, "cursor"), p.launch))
	diff := plan.Diff(plan.Changes[0])
	for line := range strings.Lines(diff) {
		if strings.HasPrefix(line, "+{") || strings.HasPrefix(line, "+…") {
			if at := strings.Index(line, `"workbench"`); at < 0 || at > 2*lineLead {
				t.Errorf("the change is at %d in\n%s", at, diff)
			}
			return
		}
	}
	t.Errorf("no line was added:\n%s", diff)
}
