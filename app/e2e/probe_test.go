//go:build linux

package e2e

import (
	"bufio"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The flags of TestProbe; docs/adr/046 describes them.
var (
	probeSteps = flag.String("probe", "",
		"measure what blocks the window, in the steps whose names match this `expression`")
	probeFolder = flag.String("probe.folder", "", "keep all times, and a CPU profile for each step, in this `folder`")
)

// TestProbe measures how long the goroutine of the window is busy at a time, while the window is used with a large
// configuration. Run it by hand, on a machine that does nothing else:
//
//	go test ./app/e2e -run TestProbe -probe . -v
func TestProbe(t *testing.T) {
	if *probeSteps == "" {
		t.Skip("-probe was not given")
	}
	wanted, err := regexp.Compile(*probeSteps)
	if err != nil {
		t.Fatal(err)
	}
	folder := *probeFolder
	if folder == "" {
		folder = t.TempDir()
	}
	probe, server := buildProbe(t)
	s := newSession(t, probeConfig(server, 0))
	s.env = append(s.env, "WORKBENCH_PROBE="+folder)
	ours := program
	program = probe
	defer func() { program = ours }()
	begun := time.Now()
	app := s.run(t)
	within(t, s.hasWindow)
	t.Logf("the first window after %v", time.Since(begun).Round(time.Millisecond))
	time.Sleep(3 * time.Second)
	client := s.newEngine(t)
	client.open(t, "big")
	time.Sleep(time.Second)
	p := &probing{t: t, session: s, app: app, big: server, client: client, folder: folder, wanted: wanted,
		profiles: *probeFolder != ""}
	p.report("the start with 1,000 servers", begun, time.Now())
	p.run()
	if p.profiles {
		app.cmd.Process.Signal(syscall.SIGUSR2)
		time.Sleep(2 * time.Second)
	}
	t.Logf("memory: %s", p.memory())
}

// probing is a running TestProbe.
type probing struct {
	t        *testing.T
	session  *session
	app      *process
	big      string // path of the server for the probe
	client   *engine
	folder   string
	wanted   *regexp.Regexp
	profiles bool
	count    int
}

// run goes through the steps. step runs and reports only those that are wanted.
func (p *probing) run() {
	key := func(keys ...string) { p.keys(keys...) }
	p.step("nothing happens, 10 s", func() { time.Sleep(10 * time.Second) })
	p.step("the tree is scrolled", func() { p.wheel(200, 400, 150) })
	p.step("the cards are scrolled", func() { p.find("box-50"); p.wheel(800, 400, 100) })
	p.step("60 servers are selected one after the other", func() { p.find("box-10"); p.many("Down", 60) })
	p.step("the settings of 20 servers", func() {
		p.find("box-20")
		for range 20 {
			key("Down", "Return")
			p.pause(150)
			key("Escape")
			p.pause(100)
		}
	})
	p.step("text is searched", func() { key("ctrl+f"); p.types("server-7"); key("Escape") })
	p.step("the file is saved by another program, 0.3 s", func() { p.find("box-3"); p.saves(20) })
	p.step("settings are shown and the file is saved, 0.3 s", func() {
		p.find("box-31")
		key("Down", "Return")
		p.saves(20)
	})
	p.step("typing in a field while the file is saved", func() {
		p.session.click(p.t, 600, 330)
		go p.types("some-program-with-a-name")
		p.saves(12)
		key("ctrl+s", "ctrl+z")
	})
	p.step("screens are switched", func() {
		for range 4 {
			for _, screen := range []string{"ctrl+2", "ctrl+3", "ctrl+4", "ctrl+1"} {
				key(screen)
				p.pause(250)
			}
		}
	})
	p.step("1,000 tools are opened and scrolled", func() {
		p.server("thousand")
		p.tab(tabTools)
		p.pause(800)
		p.picture("tools")
		p.wheel(450, 500, 100)
		key("ctrl+f")
		p.types("tool-99")
		key("Escape")
	})
	p.step("a log of 50,000 lines is opened and scrolled", func() {
		p.server("thousand")
		p.tab(tabLog)
		p.pause(800)
		p.picture("log")
		p.wheel(700, 500, 100)
	})
	p.step("a form of 380 fields is opened and scrolled", func() {
		p.server("form")
		p.tab(tabTools)
		p.pause(500)
		p.tryFirst()
		p.pause(1500)
		p.picture("form")
		p.wheel(800, 500, 100)
	})
	p.step("a result of 8 MiB is opened and scrolled", func() {
		p.server("result")
		p.tab(tabTools)
		p.pause(500)
		p.tryFirst()
		p.pause(500)
		key("ctrl+Return")
		p.pause(3000)
		p.picture("result")
		p.wheel(800, 560, 100)
		key("ctrl+Return")
		p.pause(3000)
		p.session.click(p.t, 1032, 235) // its JSON
		p.pause(1500)
		p.picture("result-json")
		p.wheel(800, 450, 30)
	})
	p.step("the file of 1,000 servers is shown and scrolled", func() {
		key("ctrl+1")
		p.session.click(p.t, 163, 703)
		p.pause(1500)
		p.picture("file")
		p.wheel(700, 400, 100)
		p.session.click(p.t, 700, 300)
		p.types("    ")
		p.pause(1000)
		for range 4 {
			key("ctrl+z")
		}
		p.pause(500)
	})
	p.step("a difference of 500 KB is shown and scrolled", func() {
		p.session.write(p.t, strings.ReplaceAll(probeConfig(p.big, 0), "  ", "\t"))
		key("ctrl+1")
		p.session.click(p.t, 163, 703)
		p.pause(1500)
		p.session.click(p.t, 1028, 39) // the history
		p.pause(1500)
		p.picture("difference")
		p.wheel(800, 500, 100)
		p.session.write(p.t, probeConfig(p.big, 0))
		p.pause(1000)
	})
	p.step("2,000 calls come in and are scrolled", func() {
		key("Escape", "ctrl+3")
		for range 2000 {
			result := p.client.call(p.t, "tools/call", map[string]any{"name": "use_tool", "arguments": map[string]any{
				"tool":      map[string]any{"toolbox": "big", "server": "form", "tool": "form"},
				"arguments": map[string]any{"field-000": "a"}}})
			if !strings.Contains(string(result), "done") {
				p.t.Fatalf("the call answers %s", result)
			}
		}
		p.pause(1000)
		p.picture("calls")
		p.wheel(600, 400, 100)
		key("ctrl+f")
		p.types("result")
		key("Escape")
	})
	p.step("another theme", func() {
		key("Escape", "ctrl+4")
		p.pause(1000)
		for i, look := range []int{1028, 965} { // dark, and light
			p.session.click(p.t, look, 138)
			p.pause(1500)
			p.picture(fmt.Sprintf("theme-%d", i))
		}
	})
	p.step("undo and redo", func() {
		p.find("box-30")
		key("Down")
		for _, step := range []string{"ctrl+Down", "ctrl+z", "ctrl+shift+z"} {
			for range 4 {
				key(step)
				p.pause(900)
			}
		}
		p.picture("undo")
	})
}

// step runs a step, if it is wanted, and reports its times.
func (p *probing) step(name string, do func()) {
	p.t.Helper()
	wanted := p.wanted.MatchString(name)
	if !wanted {
		return
	}
	if p.profiles {
		p.app.cmd.Process.Signal(syscall.SIGUSR1)
	}
	begun, busy := time.Now(), p.processor()
	do()
	p.pause(500)
	ended := time.Now()
	if p.profiles {
		p.app.cmd.Process.Signal(syscall.SIGUSR1)
	}
	p.report(name, begun, ended)
	p.t.Logf("%8s processor %.1f %%", "", 100*(p.processor()-busy).Seconds()/ended.Sub(begun).Seconds())
	if p.profiles {
		name := fmt.Sprintf("%02d.pprof", p.count)
		p.t.Logf("%8s profile %s", "", name)
		p.count++
	}
}

// report logs how long the calls took that ended between from and to, and what the long ones did. "ours" is the time
// of our code and of Fyne's layout. "alone" is the processor time of the same calls, which is how long they take with
// nothing else running. "paint" is the time for drawing, which uses the processor if there is no graphics card.
func (p *probing) report(name string, from, to time.Time) {
	p.t.Helper()
	time.Sleep(300 * time.Millisecond) // until the last calls are written
	file, err := os.Open(filepath.Join(p.folder, "calls"))
	if err != nil {
		p.t.Fatal(err)
	}
	defer file.Close()
	var ours, alone, paint []time.Duration
	kinds, places := map[string]time.Duration{}, map[string]int{}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		parts := strings.SplitN(lines.Text(), " ", 3)
		if len(parts) < 3 {
			continue
		}
		at, _ := strconv.ParseInt(parts[0], 10, 64)
		if at < from.UnixNano() || at > to.UnixNano() {
			continue
		}
		if parts[1] == "at" {
			places[parts[2]]++
			continue
		}
		took, processor, _ := strings.Cut(parts[2], " ")
		ns, _ := strconv.ParseInt(took, 10, 64)
		kinds[parts[1]] = max(kinds[parts[1]], time.Duration(ns))
		switch parts[1] {
		case "paint", "swap":
			paint = append(paint, time.Duration(ns))
		default:
			ours = append(ours, time.Duration(ns))
			ns, _ := strconv.ParseInt(processor, 10, 64)
			alone = append(alone, time.Duration(ns))
		}
	}
	p.t.Logf("%s\n  ours:  %s\n  alone: %s\n  paint: %s\n  worst: %v", name, spread(ours), spread(alone), spread(paint),
		kinds)
	type place struct {
		at    string
		times int
	}
	var worst []place
	for at, times := range places {
		worst = append(worst, place{at, times})
	}
	slices.SortFunc(worst, func(a, b place) int { return cmp.Or(b.times-a.times, strings.Compare(a.at, b.at)) })
	for _, place := range worst[:min(5, len(worst))] {
		p.t.Logf("  %3d × at %s", place.times, place.at)
	}
}

// idle is the time below which a call counts as idle: the loop polls for events 60 times a second and mostly finds
// none.
const idle = 100 * time.Microsecond

// spread summarizes how long calls took. Idle calls are left out, because they would hide the others.
func spread(calls []time.Duration) string {
	calls = slices.DeleteFunc(slices.Clone(calls), func(took time.Duration) bool { return took < idle })
	if len(calls) == 0 {
		return "nothing"
	}
	slices.Sort(calls)
	at := func(share float64) time.Duration {
		return calls[min(len(calls)-1, int(math.Ceil(share*float64(len(calls)))))].Round(100 * time.Microsecond)
	}
	long, sum := 0, time.Duration(0)
	for _, took := range calls {
		sum += took
		if took > 16*time.Millisecond {
			long++
		}
	}
	return fmt.Sprintf("%5d calls, %6v together, p50 %v, p95 %v, p99 %v, max %v; over 16 ms: %d (%.1f %%)", len(calls),
		sum.Round(time.Millisecond),
		at(0.5), at(0.95), at(0.99), calls[len(calls)-1].Round(100*time.Microsecond), long,
		100*float64(long)/float64(len(calls)))
}

func (p *probing) pause(ms int) { time.Sleep(time.Duration(ms) * time.Millisecond) }

func (p *probing) tool(args ...string) {
	cmd := exec.Command("timeout", append([]string{"60", "xdotool"}, args...)...)
	cmd.Env = p.session.env
	if out, err := cmd.CombinedOutput(); err != nil {
		p.t.Errorf("xdotool %v: %v\n%s", args, err, out)
	}
}

func (p *probing) keys(keys ...string) {
	p.tool(append([]string{"windowfocus", p.session.window(), "key", "--delay", "40", "--clearmodifiers"}, keys...)...)
}

// many presses a key many times.
func (p *probing) many(key string, times int) {
	p.keys(slices.Repeat([]string{key}, times)...)
}

func (p *probing) types(text string) { p.tool("type", "--delay", "60", text) }

// wheel turns the mouse wheel down and up again at a place of the window.
func (p *probing) wheel(x, y, turns int) {
	left, top, _, _ := p.session.geometry(p.t)
	p.tool("mousemove", strconv.Itoa(left+x), strconv.Itoa(top+y), "click", "--repeat", strconv.Itoa(turns), "--delay",
		"16", "5",
		"click", "--repeat", strconv.Itoa(turns), "--delay", "16", "4")
}

// find selects the server or toolbox with a name.
func (p *probing) find(name string) {
	p.keys("ctrl+1", "Escape", "ctrl+f")
	p.types(name)
	p.pause(200)
	p.keys("Return", "Escape")
	p.pause(200)
}

// server shows the settings of a server.
func (p *probing) server(name string) {
	p.find(name)
	p.keys("Return")
	p.pause(400)
}

// The places of the tabs of a server, from the left of the window.
const (
	tabTools = 498
	tabLog   = 553
)

func (p *probing) tab(at int) { p.session.click(p.t, at, 170) }

// tryFirst opens the page to try the first tool in the list.
func (p *probing) tryFirst() { p.session.click(p.t, 1042, 326) }

// saves writes the configuration several times, as another editor would.
func (p *probing) saves(times int) {
	for i := range times {
		p.session.write(p.t, probeConfig(p.big, i+1))
		p.pause(300)
	}
	p.session.write(p.t, probeConfig(p.big, 0))
}

func (p *probing) picture(name string) {
	if !p.profiles {
		return
	}
	savePicture(p.t, filepath.Join(p.folder, name+".png"), p.session.screen())
}

// processor returns the processor time that the program has used.
func (p *probing) processor() time.Duration {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.app.cmd.Process.Pid))
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return time.Duration(user+system) * 10 * time.Millisecond // the unit is 10 ms
}

// memory returns how much memory the program uses, and the most that it has used.
func (p *probing) memory() string {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.app.cmd.Process.Pid))
	return strings.Join(strings.Fields(
		strings.Join(regexp.MustCompile(`(?m)^Vm(HWM|RSS).*$`).FindAllString(string(text), -1), " ")), " ")
}

// probeConfig returns a configuration with 1,000 servers in 100 toolboxes, and one toolbox with the servers for the
// probe. Each value of change gives another description of a toolbox and another argument of a server.
func probeConfig(server string, change int) string {
	toolboxes := map[string]any{}
	for i := range 100 {
		servers := map[string]any{}
		for j := range 10 {
			args := []string{"-c", "true"}
			if i == 3 && j == 1 {
				args = append(args, fmt.Sprint(change))
			}
			servers[fmt.Sprintf("server-%d", j)] = map[string]any{"command": "sh", "args": args, "env": map[string]string{
				"WORKSPACE": "/home/user/projects/something", "LEVEL": "info", "MODE": fmt.Sprint("number ", j)},
				"toolFilters":    []string{"*"},
				"startupTimeout": 20, "callTimeout": 60, "cwd": "/tmp"}
		}
		description := "Tools for many things"
		if i == 3 {
			description = fmt.Sprint("Change ", change)
		}
		toolboxes[fmt.Sprintf("box-%d", i)] = map[string]any{"description": description, "mcpServers": servers}
	}
	big := map[string]any{}
	for _, name := range []string{"thousand", "form", "result"} {
		big[name] = map[string]any{"command": server, "args": []string{name}}
	}
	toolboxes["big"] = map[string]any{"mcpServers": big}
	text, err := json.MarshalIndent(map[string]any{"toolboxes": toolboxes}, "", "  ")
	if err != nil {
		panic(err) // it is made of strings
	}
	return string(text)
}
