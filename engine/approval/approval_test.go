package approval_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/approval"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

const file = "/home/u/workbench-config.json"

// person is a person with a window: a configuration, the approvals, and the folder in which they are stored.
type person struct {
	t      *testing.T
	folder string
	a      *approval.Approvals
	cfg    *config.Config
}

func newPerson(t *testing.T, entries string) *person {
	p := &person{t: t, folder: t.TempDir()}
	p.a = p.program()
	p.cfg = parse(t, entries)
	p.must(p.a.Begin(t.Context(), file, p.cfg))
	return p
}

// program returns the Approvals of another program of ours that uses the same files.
func (p *person) program() *approval.Approvals {
	return approval.New(approval.Options{Path: filepath.Join(p.folder, "approvals.json")})
}

func parse(t testing.TB, entries string) *config.Config {
	t.Helper()
	document := config.Parse("", []byte(`{"toolboxes":{"dev":{"mcpServers":{`+entries+`}}}}`))
	if !document.Valid() {
		t.Fatal(document.Errors())
	}
	return document.Config
}

func (p *person) must(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatal(err)
	}
}

// saves makes a change as the person does. elsewhere makes one as another program does.
func (p *person) saves(entries string) {
	p.t.Helper()
	now := parse(p.t, entries)
	p.must(p.a.Save(p.t.Context(), file, p.cfg, now))
	p.cfg = now
}

func (p *person) elsewhere(entries string) {
	p.t.Helper()
	p.cfg = parse(p.t, entries)
}

// waits checks the names of the waiting entries, for this program and for another one.
func (p *person) waits(want ...string) []approval.Waiting {
	p.t.Helper()
	var waiting []approval.Waiting
	for _, a := range []*approval.Approvals{p.a, p.program()} {
		waiting = a.Waiting(file, p.cfg)
		var got []string
		for _, w := range waiting {
			got = append(got, w.Server.Name)
		}
		if !slices.Equal(got, want) {
			p.t.Fatalf("%q waits, want %q", got, want)
		}
		for _, toolbox := range p.cfg.Toolboxes {
			for _, server := range toolbox.Servers {
				err := a.Check(file, "dev", server)
				if waits := slices.Contains(want, server.Name); waits != errors.Is(err, approval.ErrChanged) || !waits &&
					err != nil {
					p.t.Fatalf("%s: %v", server.Name, err)
				}
			}
		}
	}
	return waiting
}

const memory = `"memory":{"command":"npx","args":["-y","memory"],"env":{"A":"1","B":"2"}}`

func TestFirstStart(t *testing.T) {
	p := newPerson(t, memory)
	p.waits()
	p.elsewhere(memory + `,"evil":{"command":"sh"}`)
	p.waits("evil")
	p.must(p.program().Begin(t.Context(), file, p.cfg)) // a later start of the window
	if w := p.waits("evil"); w[0].Old != nil || w[0].Toolbox != "dev" {
		t.Errorf("%+v", w[0])
	}
}

func TestNoWindow(t *testing.T) {
	p := &person{t: t, folder: filepath.Join(t.TempDir(), "no", "such", "folder")}
	p.a = p.program()
	p.elsewhere(memory)
	p.waits()
	p.saves(memory + `,"b":{"command":"b"}`) // a command
	p.waits()
	if _, err := os.Stat(p.folder); err == nil {
		t.Error("something was written")
	}
}

// TestEveryGuardedField changes one field at a time: each that needs approval, and each that does not.
func TestEveryGuardedField(t *testing.T) {
	base := map[config.Transport]string{
		config.TransportStdio: `"command":"a"`,
		config.TransportHTTP:  `"url":"https://a.example/mcp"`,
	}
	skipped := []string{"transport", "type"}
	tried := 0
	for _, field := range config.ServerFields() {
		if slices.Contains(skipped, field.Name) {
			continue
		}
		example := field.Example()
		if example == "" || example == "false" || example == "0" {
			example = map[string]string{"false": "true", "0": "7"}[example]
		}
		entry := base[config.TransportStdio]
		if field.For == config.TransportHTTP {
			entry = base[config.TransportHTTP]
		}
		if example == "" || field.Name == "command" || field.Name == "url" {
			continue // TestWhatCounts tests it
		}
		p := newPerson(t, `"s":{`+entry+`}`)
		p.elsewhere(`"s":{` + entry + `,"` + field.Name + `":` + example + `}`)
		if field.NeedsApproval {
			p.waits("s")
		} else {
			p.waits()
		}
		tried++
	}
	if tried < 6 {
		t.Errorf("only %d fields were tried", tried)
	}
}

func TestWhatCounts(t *testing.T) {
	for _, c := range []struct {
		name, before, after string
		waits               bool
	}{
		{"command", `"s":{"command":"a"}`, `"s":{"command":"b"}`, true},
		{"url", `"s":{"url":"https://a.example"}`, `"s":{"url":"https://b.example"}`, true},
		{"kind", `"s":{"url":"https://a.example"}`, `"s":{"url":"https://a.example","type":"sse"}`, true},
		{"joined arguments", `"s":{"command":"a","args":["b","c"]}`, `"s":{"command":"a","args":["bc"]}`, true},
		{"argument moved to the command", `"s":{"command":"a","args":["b"]}`, `"s":{"command":"ab","args":[]}`, true},
		{"another header", `"s":{"url":"https://a.example","headers":{"A":"B"}}`,
			`"s":{"url":"https://a.example","headers":{"A":"C"}}`, true},
		{"another client", `"s":{"url":"https://a.example","oauth":{"clientId":"a"}}`,
			`"s":{"url":"https://a.example","oauth":{"clientId":"b"}}`, true},
		{"value and name", `"s":{"command":"a","env":{"A":"1"}}`, `"s":{"command":"a","env":{"A1":""}}`, true},
		{"asking first taken out", `"s":{"command":"a","askFirst":true}`, `"s":{"command":"a"}`, true},
		{"order of variables", `"s":{"command":"a","env":{"A":"1","B":"2"}}`, `"s":{"command":"a","env":{"B":"2","A":"1"}}`,
			false},
		{"name", `"s":{"command":"a"}`, `"t":{"command":"a"}`, false},
		{"copy", `"s":{"command":"a"}`, `"s":{"command":"a"},"t":{"command":"a"}`, false},
		{"filter", `"s":{"command":"a"}`, `"s":{"command":"a","toolFilters":["x"]}`, false},
		{"type that says the same", `"s":{"command":"a"}`, `"s":{"type":"stdio","command":"a"}`, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newPerson(t, c.before)
			p.elsewhere(c.after)
			if c.waits {
				if w := p.waits("s"); w[0].Old == nil || !w[0].Old.Equal(parse(t, c.before).Toolboxes[0].Servers[0]) {
					t.Errorf("the approved entry is %+v", w[0].Old)
				}
			} else {
				p.waits()
			}
		})
	}
}

func TestWhatThePersonSaves(t *testing.T) {
	p := newPerson(t, memory)
	p.saves(memory + `,"b":{"command":"b"}`)
	p.waits()
	p.elsewhere(memory + `,"b":{"command":"evil"}`)
	p.waits("b")
	// It still waits after the person has made another change.
	p.saves(memory + `,"b":{"command":"evil"},"c":{"command":"c"}`)
	p.waits("b")
	// It also waits after the person has changed or copied it.
	p.saves(memory + `,"b":{"command":"evil","args":["x"]},"c":{"command":"c"}`)
	p.waits("b")
	p.saves(memory + `,"b":{"command":"evil","args":["x"]},"copy":{"command":"evil","args":["x"]}`)
	p.waits("b", "copy")
	// The person restores the approved command.
	p.saves(memory + `,"b":{"command":"b"}`)
	p.waits()
	// An entry that the person has removed is no longer approved.
	p.saves(memory)
	p.elsewhere(memory + `,"b":{"command":"b"}`)
	p.waits("b")
}

// TestRemovedElsewhere: if another program removes an entry and adds it again, nobody is asked.
func TestRemovedElsewhere(t *testing.T) {
	p := newPerson(t, memory)
	p.elsewhere(``)
	p.saves(`"b":{"command":"b"}`)
	p.elsewhere(`"b":{"command":"b"},` + memory)
	p.waits()
}

func TestApprove(t *testing.T) {
	p := newPerson(t, memory)
	p.elsewhere(`"memory":{"command":"uvx"},"b":{"command":"b"}`)
	w := p.waits("memory", "b")
	p.must(p.a.Approve(t.Context(), file, p.cfg, w[0]))
	p.waits("b")
	// Only the entry that was shown is approved. If it has changed, nothing is.
	for _, now := range []string{`"b":{"command":"c"}`, `"c":{"command":"b"}`, ``} {
		p.elsewhere(now)
		if err := p.a.Approve(t.Context(), file, p.cfg, w[1]); !errors.Is(err, approval.ErrChangedAgain) {
			t.Errorf("the shown entry is approved although the file has %s: %v", now, err)
		}
	}
	p.elsewhere(`"memory":{"command":"uvx"},"b":{"command":"b"}`)
	p.waits("b")
}

func TestFree(t *testing.T) {
	p := newPerson(t, memory)
	p.elsewhere(memory + `,"b":{"command":"b"}`)
	p.waits("b")
	p.must(p.a.SetFree(t.Context(), file, p.cfg, true))
	p.waits()
	if s := p.program().State(); s.On || !s.Free {
		t.Errorf("%+v", s)
	}
	p.elsewhere(memory + `,"b":{"command":"c"}`)
	p.waits()
	p.must(p.a.SetFree(t.Context(), file, p.cfg, false))
	p.waits()
	p.elsewhere(memory + `,"b":{"command":"d"}`)
	p.waits("b")
}

// TestRunTellsOfOthers: a program notices what another program approves.
func TestRunTellsOfOthers(t *testing.T) {
	p := newPerson(t, memory)
	p.elsewhere(`"b":{"command":"b"}`)
	ctx, cancel := context.WithCancel(t.Context())
	told := make(chan struct{}, 10)
	ended := make(chan error, 1)
	go func() { ended <- p.a.Run(ctx, func() { told <- struct{}{} }) }()
	other := p.program()
	server := p.cfg.Toolboxes[0].Servers[0]
	if err := p.a.Check(file, "dev", server); !errors.Is(err, approval.ErrChanged) {
		t.Fatal(err)
	}
	p.must(other.Approve(t.Context(), file, p.cfg, other.Waiting(file, p.cfg)...))
	for deadline := time.Now().Add(time.Minute); len(told) == 0; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the change was not reported")
		}
		p.must(other.SetFree(t.Context(), file, p.cfg, false)) // again, since Run may have started after the first change
	}
	p.must(p.a.Check(file, "dev", server))
	cancel()
	<-ended
}
