package clients

import (
	"errors"
	"io/fs"
	"strings"
	"testing"

	"howett.net/plist"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

const (
	desktopMac  = "/Library/Managed Preferences/com.anthropic.claudefordesktop.plist"
	adaMac      = "/Library/Managed Preferences/ada/com.anthropic.claudefordesktop.plist"
	desktopKey  = `SOFTWARE\Policies\Claude`
	codeKey     = `SOFTWARE\Policies\ClaudeCode`
	codeWindows = `C:\Program Files\ClaudeCode\`
)

// ruled returns an imitation of a computer with rules: files by path, and registry keys, where those of the
// user begin with "HKCU\".
func ruled(os, home string, files map[string]string, keys map[string]map[string]any) System {
	s := made(os, home, nil)
	s.ReadFile = func(name string) ([]byte, error) {
		text, ok := files[name]
		switch {
		case !ok:
			return nil, nil
		case text == "(no rights)":
			return nil, fs.ErrPermission
		}
		return []byte(text), nil
	}
	s.Registry = func(user bool, key string) (map[string]any, error) {
		if user {
			key = `HKCU\` + key
		}
		if keys[key] != nil && keys[key]["(no rights)"] != nil {
			return nil, errors.New("access denied")
		}
		return keys[key], nil
	}
	return s
}

// preferences returns preferences of macOS in one of their two formats.
func preferences(t *testing.T, format int, values map[string]any) string {
	t.Helper()
	text, err := plist.Marshal(values, format)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestPolicy(t *testing.T) {
	type file = map[string]string
	type keys = map[string]map[string]any
	off := map[string]any{"isLocalDevMcpEnabled": false}
	const (
		etc   = "/etc/claude-desktop/managed-settings.json"
		code  = "/etc/claude-code/managed-settings.json"
		alone = "/etc/claude-code/managed-mcp.json"
	)
	for _, test := range []struct {
		name, client string
		system       System
		want         []string // a part of each sentence
	}{
		{"nothing", "claude-desktop", ruled("windows", ada, nil, nil), nil},
		{"no registry and no files", "claude-desktop", made("windows", ada, nil), nil},
		{"a client without rules", "cursor", ruled("linux", "/home/ada", file{etc: `{"isLocalDevMcpEnabled": false}`}, nil),
			nil},
		{"off by number", "claude-desktop",
			ruled("windows", ada, nil, keys{desktopKey: {"isLocalDevMcpEnabled": uint64(0)}}),
			[]string{"local servers in Claude Desktop (policy isLocalDevMcpEnabled). Workbench can be put into its file, " +
				"but Claude Desktop will probably not start it."}},
		{"off by word", "claude-desktop",
			ruled("windows", ada, nil, keys{desktopKey: {"isDesktopExtensionEnabled": "False"}}),
			[]string{"extensions in Claude Desktop"}},
		{"on", "claude-desktop", ruled("windows", ada, nil,
			keys{desktopKey: {"isLocalDevMcpEnabled": uint64(1), "isDesktopExtensionEnabled": "true"}}), nil},
		{"both for this user", "claude-desktop",
			ruled("windows", ada, nil, keys{
				`HKCU\` + desktopKey: {"isLocalDevMcpEnabled": uint64(0), "isDesktopExtensionEnabled": uint64(0)}}),
			[]string{"isLocalDevMcpEnabled", "isDesktopExtensionEnabled"}},
		{"the computer's rules before the user's", "claude-desktop",
			ruled("windows", ada, nil, keys{desktopKey: {"isLocalDevMcpEnabled": uint64(1)},
				`HKCU\` + desktopKey: {"isLocalDevMcpEnabled": uint64(0)}}), nil},
		{"not to be read", "claude-desktop", ruled("windows", ada, nil, keys{desktopKey: {"(no rights)": true}}),
			[]string{`HKEY_LOCAL_MACHINE\SOFTWARE\Policies\Claude), which could not be read`}},
		{"binary preferences", "claude-desktop",
			ruled("darwin", "/Users/ada", file{adaMac: preferences(t, plist.BinaryFormat, off)}, nil),
			[]string{"isLocalDevMcpEnabled"}},
		{"preferences in XML", "claude-desktop",
			ruled("darwin", "/Users/ada", file{desktopMac: preferences(t, plist.XMLFormat, off)}, nil),
			[]string{"isLocalDevMcpEnabled"}},
		{"the user's preferences first", "claude-desktop",
			ruled("darwin", "/Users/ada", file{
				adaMac:     preferences(t, plist.BinaryFormat, map[string]any{"isLocalDevMcpEnabled": 1}),
				desktopMac: preferences(t, plist.BinaryFormat, off)}, nil), nil},
		{"broken preferences", "claude-desktop", ruled("darwin", "/Users/ada", file{desktopMac: "bplist00nonsense"}, nil),
			[]string{desktopMac + "), which could not be read"}},
		{"on Linux", "claude-desktop", ruled("linux", "/home/ada", file{etc: `{"isLocalDevMcpEnabled": false}`}, nil),
			[]string{"isLocalDevMcpEnabled"}},
		{"no object", "claude-desktop", ruled("linux", "/home/ada", file{etc: `[]`}, nil),
			[]string{etc + "), which could not be read"}},
		{"no rights", "claude-desktop", ruled("linux", "/home/ada", file{etc: "(no rights)"}, nil),
			[]string{etc + "), which could not be read"}},

		{"a set of its own", "claude-code",
			ruled("linux", "/home/ada", file{alone: `{"mcpServers": {"files": {"command": "npx"}}}`,
				code: `{"deniedMcpServers": [{"serverName": "workbench"}]}`}, nil),
			[]string{"which servers Claude Code starts (" + alone + "), and Workbench is not one of them"}},
		{"none at all", "claude-code",
			ruled("windows", ada, file{codeWindows + "managed-mcp.json": `{"mcpServers": {}}`}, nil),
			[]string{"Workbench is not one of them"}},
		{"we are in it", "claude-code",
			ruled("linux", "/home/ada", file{
				alone: `{"mcpServers": {"w": {"command": "/opt/workbench-desktop", "args": ["stdio"]}}}`}, nil), nil},
		{"denied by name", "claude-code",
			ruled("linux", "/home/ada", file{code: `{"deniedMcpServers": [{"serverName": "x"}, {"serverName": "workbench"}]}`},
				nil), []string{"forbidden Workbench in Claude Code"}},
		{"denied by command", "claude-code",
			ruled("darwin", "/Users/ada", file{
				"/Library/Application Support/ClaudeCode/managed-settings.json": `{"deniedMcpServers": [{"serverCommand": ["/x/workbench-desktop", "stdio"]}]}`}, nil), []string{"forbidden Workbench in Claude Code"}},
		{"others denied", "claude-code",
			ruled("linux", "/home/ada", file{code: `{"deniedMcpServers": [{"serverName": "x"}, 1, {"serverCommand": "y"}]}`},
				nil), nil},
		{"allowed by name", "claude-code",
			ruled("linux", "/home/ada", file{code: `{"allowedMcpServers": [{"serverName": "workbench"}]}`}, nil), nil},
		{"not allowed", "claude-code", ruled("linux", "/home/ada", file{code: `{"allowedMcpServers": []}`}, nil),
			[]string{"policy allowedMcpServers"}},
		{"the name does not do beside commands", "claude-code",
			ruled("linux", "/home/ada", file{
				code: `{"allowedMcpServers": [{"serverName": "workbench"}, {"serverCommand": ["npx", "x"]}]}`}, nil),
			[]string{"policy allowedMcpServers"}},
		{"allowed by command", "claude-code",
			ruled("linux", "/home/ada", file{
				code: `{"allowedMcpServers": [{"serverCommand": ["/opt/workbench-desktop", "stdio"]}]}`}, nil), nil},
		{"settings in the registry", "claude-code",
			ruled("windows", ada, file{codeWindows +
				"managed-settings.json": `{"allowedMcpServers": [{"serverName": "workbench"}]}`},
				keys{codeKey: {"Settings": `{"allowedMcpServers": []}`}}), []string{"policy allowedMcpServers"}},
		{"broken settings in the registry", "claude-code", ruled("windows", ada, nil, keys{codeKey: {"Settings": `{`}}),
			[]string{"could not be read"}},
	} {
		t.Run(test.client+" "+test.system.OS+" "+test.name, func(t *testing.T) {
			got := test.system.Policy(rowOf(t, test.client))
			if len(got) != len(test.want) {
				t.Fatalf("%q, want %q", got, test.want)
			}
			for i, part := range test.want {
				if !strings.Contains(got[i].String(), part) || strings.Contains(got[i].String(), "{{") {
					t.Errorf("%q, want %q", got[i], part)
				}
			}
		})
	}
}

// TestPolicyIsTold: the rules are shown wherever people look at an app or connect it. They do not prevent
// connecting.
func TestPolicyIsTold(t *testing.T) {
	p := newPlace(t)
	p.Registrar.system.ReadFile = func(name string) ([]byte, error) {
		if name == "/etc/claude-desktop/managed-settings.json" {
			return []byte(`{"isLocalDevMcpEnabled": false}`), nil
		}
		return nil, nil
	}
	p.Registrar.system.Registry = func(_ bool, key string) (map[string]any, error) {
		if key == desktopKey {
			return map[string]any{"isLocalDevMcpEnabled": uint64(0)}, nil
		}
		return nil, nil
	}
	plan := p.must(p.connect("claude-desktop"))
	if !strings.Contains(strings.Join(words.English().Texts(plan.Notes), " "), "isLocalDevMcpEnabled") ||
		!strings.Contains(p.text(p.file("claude-desktop")), "workbench") {
		t.Errorf("%q", plan.Notes)
	}
	all, err := p.Status(p.launch)
	if err != nil {
		t.Fatal(err)
	}
	for _, status := range all {
		if (len(status.Policy) == 1) != (status.Client.ID == "claude-desktop") {
			t.Errorf("%s: %q", status.Client.ID, status.Policy)
		}
	}
	// Only installed apps are reported, see [System.Policies].
	if told := p.Registrar.system.Policies(); len(told) != 1 {
		t.Errorf("%q", told)
	}
	p.must(p.disconnect("claude-desktop"))
	if told := p.Registrar.system.Policies(); len(told) != 0 {
		t.Errorf("%q", told)
	}
}
