package clients

import (
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestFlatpaks: an app whose Flatpak runs its servers inside starts Workbench outside, and one that leaves its Flatpak
// starts it as usual.
func TestFlatpaks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no Flatpaks on Windows")
	}
	for id, folder := range map[string]string{
		"vscode": ".var/app/com.visualstudio.code/config/Code/User", "zed": ".var/app/dev.zed.Zed/config/zed",
		"vscodium": ".var/app/com.vscodium.codium/config/VSCodium/User",
	} {
		p := newPlace(t)
		folder = filepath.Join(p.home, folder)
		p.put(filepath.Join(folder, "x"), "")
		plan := p.must(p.connect(id))
		text := p.text(plan.Changes[0].File)
		if outside := strings.Contains(text, `"/usr/bin/flatpak-spawn"`); len(plan.Changes) != 1 ||
			filepath.Dir(plan.Changes[0].File) != folder || outside == (id == "zed") {
			t.Fatalf("%s: %d files, %s:\n%s", id, len(plan.Changes), plan.Changes[0].File, text)
		}
		if id != "zed" && !strings.Contains(text,
			`["--host", "--watch-bus", "`+p.launch.Program+`", "stdio", "--client", "`+id+`", "--config",`) {
			t.Errorf("%s:\n%s", id, text)
		}
		status, err := p.Status(p.launch)
		if err != nil || stateIn(status, id) != Connected {
			t.Errorf("%s is %q, %v", id, stateIn(status, id), err)
		}
		if plan := p.must(p.connect(id)); plan.Changed() {
			t.Errorf("%s: twice is not once", id)
		}
		p.must(p.disconnect(id))
		if there(plan.Changes[0].File) {
			t.Errorf("%s: the file was left", id)
		}
	}
	for _, args := range [][]string{
		{"--host", "/opt/workbench-engine", "stdio", "--client", "vscode"},
		{"--host", "--watch-bus", "/usr/bin/flatpak", "run", "io.github.workbench_mcp.WorkbenchDesktop", "stdio"},
	} {
		if !IsOurs(flatpakSpawn, args) {
			t.Errorf("%q is not ours", args)
		}
	}
	if IsOurs(flatpakSpawn, []string{"--host", "npx", "stdio"}) || IsOurs(flatpakSpawn, []string{"--host"}) {
		t.Error("another program counts as ours")
	}
}

// TestOpencode2: version 2 has its servers one level deeper, in a folder of its own or in the same file as version 1.
// Our entry is where it looks, in its form.
func TestOpencode2(t *testing.T) {
	const servers = "{\n  // mine\n  \"mcp\": {\n    \"servers\": {\n      \"recall\": {\"type\": \"local\", " +
		"\"command\": [\"recall\"]}\n    },\n    \"timeout\": 5000\n  }\n}\n"
	for name, test := range map[string]struct {
		file, before string
		newer        bool
	}{
		"in its folder":         {".config/opencode2/opencode.json", servers, true},
		"in its folder, new":    {".config/opencode2/opencode.json", "", true},
		"in its folder, empty":  {".config/opencode2/opencode.jsonc", "{\"mcp\": {}}\n", true},
		"in the folder of both": {".config/opencode/opencode.json", servers, true},
		"no servers":            {".config/opencode/opencode.json", "{\"mcp\": {\"servers\": {}}}\n", true},
		"version 1": {".config/opencode/opencode.json",
			"{\"mcp\": {\"a\": {\"type\": \"local\", \"command\": [\"a\"]}}}\n", false},
		"version 1, a server's name": {".config/opencode/opencode.json",
			"{\"mcp\": {\"servers\": {\"type\": \"local\", \"command\": [\"a\"]}}}\n", false},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			file := filepath.Join(p.home, test.file)
			p.put(filepath.Join(filepath.Dir(file), "x"), "")
			if test.before != "" {
				p.put(file, test.before)
			}
			plan := p.must(p.connect("opencode"))
			if len(plan.Changes) != 1 || plan.Changes[0].File != file {
				t.Fatalf("%d changes, in %s", len(plan.Changes), plan.Changes[0].File)
			}
			d, err := rowOf(t, "opencode").read([]byte(p.text(file)))
			if err != nil {
				t.Fatal(err)
			}
			entry, _ := d.entries()["workbench"].(map[string]any)
			if _, enabled := entry["enabled"]; entry == nil || enabled == test.newer || (len(d.client.Key) == 2) != test.newer {
				t.Errorf("our entry is %v in\n%s", entry, p.text(file))
			}
			if status, err := p.Status(p.launch); err != nil || stateIn(status, "opencode") != Connected {
				t.Errorf("it is %q, %v", stateIn(status, "opencode"), err)
			}
			if plan := p.must(p.connect("opencode")); plan.Changed() {
				t.Error("twice is not once")
			}
			p.must(p.disconnect("opencode"))
			if want := test.before; want != "" && p.text(file) != want || want == "" && there(file) {
				t.Errorf("after disconnecting:\n%s", p.text(file))
			}
			if test.before == servers {
				move, err := p.move("opencode", "recall")
				if err != nil || strings.Contains(p.text(file), "recall") || !strings.Contains(p.text(file), "5000") {
					t.Fatalf("%v:\n%s", err, p.text(file))
				}
				if err := p.GiveBack(move); err != nil || p.text(file) != servers {
					t.Errorf("%v:\n%s", err, p.text(file))
				}
			}
		})
	}
}
