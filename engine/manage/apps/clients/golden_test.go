package clients

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "write the golden files anew")

// place is a temporary home folder on a real disk, with a program that clients can start.
type place struct {
	t      *testing.T
	home   string
	system System
	launch Launch
	*Registrar
}

func newPlace(t *testing.T) *place {
	t.Helper()
	home := t.TempDir()
	env := map[string]string{}
	p := &place{t: t, home: home}
	kind := "linux"
	if runtime.GOOS == "windows" { // paths on a Windows disk differ from those of other systems
		kind = "windows"
	}
	p.system = System{OS: kind, Home: home, Getenv: func(name string) string {
		return env[name]
	}, Stat: os.Stat, ReadDir: os.ReadDir,
		Processes: func() ([]Process, error) { return nil, nil }}
	program := filepath.Join(home, "bin", "workbench-desktop")
	p.put(program, "#!")
	launch, err := p.system.Launch(program, filepath.Join(home, "workbench-config.json"))
	if err != nil {
		t.Fatal(err)
	}
	p.launch = launch
	p.Registrar = New(p.system, filepath.Join(home, "state", "clients"))
	return p
}

func (p *place) put(name, text string) {
	p.t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		p.t.Fatal(err)
	}
}

// text returns the content of a file, or a mark if it does not exist.
func (p *place) text(name string) string {
	source, err := os.ReadFile(name)
	if os.IsNotExist(err) {
		return "(none)"
	}
	if err != nil {
		p.t.Fatal(err)
	}
	return string(source)
}

// claude returns a running process of Claude Desktop.
func (p *place) claude() []Process {
	if p.system.OS == "windows" {
		return []Process{{7, filepath.Join(p.home, `AppData\Local\AnthropicClaude\app-1.0\claude.exe`)}}
	}
	return []Process{{7, "/usr/lib/claude-desktop/claude-desktop"}}
}

// escaped returns a path as it is written in JSON.
func escaped(path string) string { return strings.ReplaceAll(path, `\`, `\\`) }

func rowOf(t *testing.T, id string) Client {
	t.Helper()
	c, ok := ByID(id)
	if !ok {
		t.Fatalf("no client %q", id)
	}
	return c
}

func (p *place) connect(id string) (Plan, error) {
	plan, err := p.PlanConnect(rowOf(p.t, id), p.launch)
	if err == nil {
		err = p.Apply(p.t.Context(), plan)
	}
	return plan, err
}

func (p *place) disconnect(id string) (Plan, error) {
	plan, err := p.PlanDisconnect(rowOf(p.t, id))
	if err == nil {
		err = p.Apply(p.t.Context(), plan)
	}
	return plan, err
}

func (p *place) must(plan Plan, err error) Plan {
	p.t.Helper()
	if err != nil {
		p.t.Fatal(err)
	}
	return plan
}

// placesSection is the part of a golden file with the paths of the client's file on each computer.
const placesSection = "places"

// TestGolden checks where each client keeps its file. It connects each client whose file we write, with a
// typical file and without a file, and disconnects it in both ways: with nothing else changed, and with
// another change in between.
func TestGolden(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the golden files have the paths of other systems")
	}
	for _, c := range All() {
		t.Run(c.ID, func(t *testing.T) {
			name := filepath.Join("testdata", c.ID+".txtar")
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			parts := map[string]string{}
			for _, file := range archive.Files {
				parts[file.Name] = string(file.Data)
			}
			out := &txtar.Archive{Comment: archive.Comment}
			keep := func(label, text string) {
				if !strings.HasSuffix(text, "\n") {
					t.Fatalf("%s has no line end", label)
				}
				out.Files = append(out.Files, txtar.File{Name: label, Data: []byte(text)})
				if !*update && parts[label] != text {
					t.Errorf("%s:\n%s\nwant:\n%s", label, text, parts[label])
				}
			}
			var places strings.Builder
			for _, one := range computers() {
				for _, file := range one.Locate(c).Files {
					fmt.Fprintln(&places, file.Path)
				}
			}
			keep(placesSection, places.String())
			if *update {
				defer func() {
					if err := os.WriteFile(name, txtar.Format(out), 0o644); err != nil {
						t.Fatal(err)
					}
				}()
			}
			if c.ByHand != "" {
				return
			}
			p := newPlace(t)
			file := p.system.Locate(c).Files[0].Path
			shown := func(text string) string { return strings.ReplaceAll(text, p.home, "/home/ada") }

			p.must(p.connect(c.ID))
			alone := shown(p.text(file))
			p.must(p.disconnect(c.ID))
			if there(file) || there(filepath.Dir(file)) {
				t.Error("the file or its folder was left")
			}

			p.put(file, parts["before"])
			p.must(p.connect(c.ID))
			after := p.text(file)
			if plan := p.must(p.connect(c.ID)); plan.Changed() || p.text(file) != after {
				t.Error("twice is not once")
			}
			p.must(p.disconnect(c.ID))
			if got := p.text(file); got != parts["before"] {
				t.Errorf("after disconnecting:\n%s", got)
			}
			// Remove the entry without the ledger, as after another change.
			d, err := c.read([]byte(after))
			if err != nil {
				t.Fatal(err)
			}
			cut, err := d.without(usualName, "", false)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(cut, []byte(parts["before"])) {
				t.Errorf("cut out:\n%s", cut)
			}
			keep("before", parts["before"])
			keep("after", shown(after))
			keep("alone", alone)
		})
	}
}

// golden returns a part of a client's golden file.
func golden(t *testing.T, id, part string) string {
	t.Helper()
	archive, err := txtar.ParseFile(filepath.Join("testdata", id+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range archive.Files {
		if file.Name == part {
			return string(file.Data)
		}
	}
	t.Fatalf("the golden file of %s has no part %q", id, part)
	return ""
}
