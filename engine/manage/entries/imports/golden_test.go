package imports

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/clients"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
)

var update = flag.Bool("update", false, "write the plans that were made into the files of testdata")

// home makes a temporary home folder of a Linux user.
func home(t *testing.T, files []txtar.File) (folder string, system clients.System) {
	t.Helper()
	folder = t.TempDir()
	for _, file := range files {
		path := filepath.Join(folder, filepath.FromSlash(file.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		data := strings.ReplaceAll(string(file.Data), "$HOME", filepath.ToSlash(folder))
		if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder, clients.System{OS: "linux", Home: filepath.ToSlash(folder), Getenv: func(string) string {
		return ""
	}, Stat: os.Stat, ReadDir: os.ReadDir}
}

// TestHomes imports from the home folders in testdata. Each file begins with the options ("clients: …",
// "into: …", "projects", "file: …"), followed by the files of the home, where workbench.json is our own
// configuration, and then the plan and the resulting configuration. go test -update writes the last two.
func TestHomes(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) < 15 {
		t.Fatalf("only %d files in testdata: %v", len(files), err)
	}
	for _, name := range files {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			var want map[string]string
			archive.Files, want = split(archive.Files)
			folder, system := home(t, archive.Files)
			options := Options{System: system}
			for line := range strings.Lines(string(archive.Comment)) {
				key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
				switch key {
				case "clients":
					options.Clients = strings.Fields(value)
				case "into":
					options.Into = value
				case "file":
					options.File = filepath.ToSlash(filepath.Join(folder, value))
				case "projects":
					options.Projects = true
				case "all":
					options.Clients = Present(system)
				}
			}
			source, _ := os.ReadFile(filepath.Join(folder, "workbench.json")) // most homes have none
			if source == nil {
				source = []byte("{\n  \"toolboxes\": {}\n}\n")
			}
			document := config.Parse("workbench.json", source)
			if !document.Valid() {
				t.Fatal(document.Errors())
			}
			options.Existing = document.Config
			plan := Make(options)
			got := map[string]string{
				"plan":   below(describe(t, plan), folder),
				"result": below(result(t, source, plan), folder),
			}
			if *update {
				for _, part := range []string{"plan", "result"} {
					archive.Files = append(archive.Files, txtar.File{Name: part, Data: []byte(got[part])})
				}
				if err := os.WriteFile(name, txtar.Format(archive), 0o600); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func split(files []txtar.File) (home []txtar.File, want map[string]string) {
	want = map[string]string{}
	for _, file := range files {
		if file.Name == "plan" || file.Name == "result" {
			want[file.Name] = string(file.Data)
			continue
		}
		home = append(home, file)
	}
	return home, want
}

// describe returns a plan as JSON, as programs get it, and checks what must hold for every plan.
func describe(t *testing.T, plan Plan) string {
	t.Helper()
	data, err := json.MarshalIndent(plan, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	text := string(data) + "\n"
	if filepath.Separator == '\\' {
		// the path of a project's .mcp.json is written with the system's separator
		text = strings.ReplaceAll(text, `\\`, "/")
	}
	for _, f := range plan.Servers {
		for _, s := range f.Secrets {
			if len(s.Text) < 6 {
				continue // a short secret may be part of any text
			}
			if strings.Contains(text, s.Text) {
				t.Errorf("%s: a secret is in the plan: %s", f.As, s.Where)
			}
			if strings.Contains(f.Review().Line()+plan.Label(), s.Text) {
				t.Errorf("%s: a secret is shown: %s", f.As, s.Where)
			}
		}
	}
	return text
}

// result returns our configuration after a plan has been carried out. It must be valid.
func result(t *testing.T, source []byte, plan Plan) string {
	t.Helper()
	applied, err := edit.Apply(source, plan.Ops()...)
	if err != nil {
		t.Fatal(err)
	}
	document := config.Parse("workbench.json", applied)
	if !document.Valid() {
		t.Errorf("the result is not valid: %v", document.Errors())
	}
	box, _ := document.Config.Toolbox(plan.Toolbox)
	for _, f := range plan.Servers {
		if s, ok := box.Server(f.As); !ok || s.Disabled != f.Entry.Disabled {
			t.Errorf("%s differs between the result and the plan", f.As)
		}
	}
	return string(applied)
}

// below returns a text in which paths below a folder begin with "~" and have slashes, however the text writes them.
func below(text, folder string) string {
	for _, separator := range []string{"/", `\\`, `\`} {
		written := strings.ReplaceAll(filepath.ToSlash(folder), "/", separator)
		for {
			at := strings.Index(text, written)
			if at < 0 {
				break
			}
			rest := text[at+len(written):]
			end := strings.IndexAny(rest+"\"", "\"\n ,;")
			text = text[:at] + "~" + strings.ReplaceAll(rest[:end], separator, "/") + rest[end:]
		}
	}
	return text
}
