//go:build linux

package e2e

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
)

var (
	soakTime = flag.Duration("soak", 0,
		"use the window as people do in this `time`, and watch what it holds; else as in a minute")
	soakFolder = flag.String("soak.folder", "", "write the figures, and pictures on the way, into this `folder`")
)

// A minute of use, as by a person who works on the configuration while AI apps use it. An hour has 60 saves by another
// program, 660 clicks, 1,440 turns of the wheel, 60 searches, 60 fields that are edited and undone, 240 tool calls, 60
// closings and openings of a toolbox with four servers (720 changes of state), 12 servers that die, 12 floods of log
// lines, and 6 engines that crash. The window is closed into the tray 6 times.
const (
	soakServers   = 1000
	soakToolboxes = 100
	soakTurns     = 6 // of the wheel, at each of two places, down and up
	soakRows      = 5 // clicked rows of the tree
)

// TestSoak does in the window, with a thousand servers and without pauses, what a person does in an hour. After each
// minute's work it measures what the program uses. Without the flag, it does one minute, which checks that the steps
// still work. The hour takes about twelve minutes:
//
//	go test ./app/e2e -run TestSoak -soak 1h -soak.folder /tmp/soak -timeout 1h -v
func TestSoak(t *testing.T) {
	u := startSoak(t)
	long := *soakTime >= 20*time.Minute // a slope needs that many samples
	for ; u.minute < max(1, int(soakTime.Minutes())); u.minute++ {
		u.pass()
		u.sample()
		if u.minute%10 == 0 {
			t.Logf("minute %d, after %v: %v", u.minute, time.Since(u.app.begun).Round(time.Second), u.last())
		}
	}
	u.report(long)
	icon := u.icon
	icon.click(t, "Quit", u.app.hasEnded)
	u.app.endsWell(t)
	for _, bad := range []string{"Error in Fyne call thread", "panic", "DATA RACE", "Translation failure"} {
		if said := u.app.output.String(); strings.Contains(said, bad) {
			t.Errorf("the program said:\n%s", said)
		}
	}
}

// soakOverlay adds a file to the program that reports its memory on request. Only the compiler of this test gets the
// file, so it is not in the released program.
func soakOverlay(folder string) (string, error) {
	from, err := filepath.Abs(filepath.Join("testdata", "soak.go"))
	if err != nil {
		return "", err
	}
	to, err := filepath.Abs(filepath.Join("..", "..", "cmd", "workbench-desktop", "soak.go"))
	if err != nil {
		return "", err
	}
	text, err := json.Marshal(map[string]any{"Replace": map[string]string{to: from}})
	if err != nil {
		return "", err
	}
	overlay := filepath.Join(folder, "overlay.json")
	return overlay, os.WriteFile(overlay, text, 0o600)
}

// soak is a running TestSoak.
type soak struct {
	t       *testing.T
	session *session
	app     *process
	icon    *icon
	screen  *screen
	origin  image.Point // of the window
	use     string      // the file in which the program reports its memory
	lasting *engine     // of an AI app that runs all the time
	passing *engine     // of an AI app that crashes now and then
	minute  int

	samples [][]float64
	answers map[string][]time.Duration // how long the window took to show something, by action
	silent  map[string]int             // how often nothing changed, by action
	lost    int                        // edits that did not reach the file
}

func startSoak(t *testing.T) *soak {
	needs(t, "node")
	if _, err := os.Stat(npmServer(t, "memory")); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("%v; run e2e/npm/install", err)
		}
		t.Skipf("%v; run e2e/npm/install", err)
	}
	u := &soak{t: t, answers: map[string][]time.Duration{}, silent: map[string]int{}}
	u.session = newSession(t, u.configuration())
	u.use = filepath.Join(u.session.folder, "use")
	u.session.env = append(u.session.env, "WORKBENCH_E2E_USE="+u.use)
	p := newPanel(t, u.session)
	u.app = u.session.run(t)
	u.icon = p.icon(t)
	eventually(t, u.session.hasWindow)
	eventually(t, u.session.has(colorAccent, 500))
	x, y, _, _ := u.session.geometry(t)
	u.origin = image.Pt(x, y)
	u.screen = u.session.display
	u.lasting, u.passing = u.session.newEngine(t), u.session.newEngine(t)
	return u
}

// npmServer returns the path of a server from npm.
func npmServer(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("..", "..", "e2e", "npm", "node_modules", "@modelcontextprotocol",
		"server-"+name, "dist", "index.js"))
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// configuration returns the configuration for a minute. Other programs add and remove servers and change texts.
func (u *soak) configuration() string {
	npm := func(name string, args ...string) map[string]any {
		return map[string]any{"command": "node", "args": append([]string{npmServer(u.t, name)}, args...)}
	}
	noisy := fake(fakeserver.Script{StderrFlood: 200 << 10})
	boxes := map[string]any{"a-work": map[string]any{"description": "What is used", "mcpServers": map[string]any{
		"everything": npm("everything"), "filesystem": npm("filesystem", "${HOME}"), "memory": npm("memory"), "noisy": noisy,
	}}}
	servers := 4
	for i := 1; i < soakToolboxes; i++ {
		box := map[string]any{}
		for j := range 10 {
			if servers++; servers <= soakServers {
				box[fmt.Sprintf("server-%d-%d", i, j)] = map[string]any{"command": "sh", "args": []string{"-c", "exec cat"},
					"env": map[string]string{"LEVEL": "info"}}
			}
		}
		if i == 1+u.minute%(soakToolboxes-1) {
			box["added"] = map[string]any{"url": "https://added.example.com/mcp"}
		}
		boxes[fmt.Sprintf("box-%02d", i)] = map[string]any{
			"description": fmt.Sprintf("Toolbox %d, as of minute %d", i, u.minute-u.minute%i), "mcpServers": box}
	}
	text, err := json.MarshalIndent(map[string]any{"toolboxes": boxes}, "", "  ")
	if err != nil {
		u.t.Fatal(err)
	}
	return string(text)
}

// pass does a minute of use.
func (u *soak) pass() {
	u.t.Helper()
	u.turn(image.Pt(240, 400), u.part(110, 110, 385, 680), "the tree is scrolled")
	u.calls()
	u.session.write(u.t, u.configuration())
	u.find(fmt.Sprintf("box %02d", 1+u.minute%(soakToolboxes-1)))
	u.turn(image.Pt(740, 400), u.part(400, 150, 1080, 680), "the cards are scrolled")
	for row := range soakRows {
		u.answer("a row is chosen", u.part(400, 10, 1080, 680), func() { u.click(240, 145+34*((row*5+u.minute)%14)) })
	}
	u.edit()
	for _, button := range []int{105, 170, 650, 40} {
		u.answer("a screen is chosen", u.part(100, 10, 1080, 680), func() { u.click(48, button) })
		if button == 170 {
			u.calls()
		}
	}
	u.lasting.open(u.t, "a-work")
	u.lasting.call(u.t, "tools/call",
		map[string]any{"name": "close_toolbox", "arguments": map[string]any{"toolbox_name": "a-work"}})
	u.lasting.open(u.t, "a-work")
	if u.minute%5 == 1 {
		u.killServer()
	}
	if u.minute%10 == 9 {
		u.passing.kill()
		u.passing = u.session.newEngine(u.t)
		u.passing.open(u.t, "a-work")
	}
	if u.minute%10 == 5 {
		u.session.closeWindow(u.t, u.session.hasNoWindow)
		u.icon.click(u.t, "Open Workbench", u.session.hasWindow)
	}
	u.picture()
}

// part returns the place of a part of the window on the display.
func (u *soak) part(x0, y0, x1, y1 int) image.Rectangle {
	return image.Rect(x0, y0, x1, y1).Add(u.origin)
}

func (u *soak) click(x, y int) { u.screen.click(image.Pt(x, y).Add(u.origin)) }

// answer calls do and records how long the window took to change.
func (u *soak) answer(what string, part image.Rectangle, do func()) {
	u.t.Helper()
	if took, ok := u.screen.answer(part, do); ok {
		u.answers[what] = append(u.answers[what], took)
	} else {
		u.silent[what]++
	}
}

// turn turns the wheel down and up.
func (u *soak) turn(at image.Point, part image.Rectangle, what string) {
	u.t.Helper()
	u.screen.move(at.Add(u.origin))
	for _, wheel := range []byte{5, 4} {
		for range soakTurns {
			u.answer(what, part, func() { u.screen.button(wheel) })
		}
	}
}

// find searches for something and shows it.
func (u *soak) find(name string) {
	u.t.Helper()
	u.screen.key("ctrl+1")
	u.screen.key("Escape")
	u.screen.key("ctrl+f")
	for _, letter := range strings.ReplaceAll(name, " ", "-") {
		key := strings.ReplaceAll(string(letter), "-", "minus")
		u.answer("a letter is typed into the search", u.part(110, 10, 385, 680), func() { u.screen.key(key) })
	}
	u.screen.key("Return")
	u.screen.key("Escape")
}

// edit opens a server, types into the value of its variable, and undoes that.
func (u *soak) edit() {
	u.t.Helper()
	has := func(want bool) func() error {
		return func() error {
			if strings.Contains(u.session.read(u.t), `"shshell"`) != want {
				return fmt.Errorf("the file has the typed text: want %t", want)
			}
			return nil
		}
	}
	// Keys come faster than those of a person, and one may get lost.
	eventually(u.t, func() error {
		u.find("box 90")
		u.screen.key("Down")
		u.answer("a server is opened", u.part(400, 10, 1080, 680), func() { u.screen.key("Return") })
		u.click(800, 297)
		time.Sleep(400 * time.Millisecond) // so that the clicks are not a double click
		u.screen.key("ctrl+a")
		for _, letter := range "shshell" {
			u.answer("a letter is typed into a field", u.part(400, 280, 1080, 370), func() { u.screen.key(string(letter)) })
		}
		u.screen.key("ctrl+s")
		err := soon(has(true))
		if err != nil {
			u.frame(fmt.Sprintf("lost-%03d-%d.png", u.minute, len(u.answers["a server is opened"])))
			u.lost++
		}
		return err
	})
	// Leave the field, because it has its own undo. A window manager may hold back the click for a moment and let keys
	// pass it.
	u.answer("a field is left", u.part(400, 280, 1080, 370), func() { u.click(750, 60) })
	eventually(u.t, func() error {
		u.screen.key("ctrl+z")
		return soon(has(false))
	})
}

// calls calls tools of the real servers.
func (u *soak) calls() {
	u.t.Helper()
	for server, tool := range map[string]string{"memory": "read_graph", "everything": "echo"} {
		u.lasting.call(u.t, "tools/call", map[string]any{"name": "use_tool", "arguments": map[string]any{
			"tool":      map[string]any{"toolbox": "a-work", "server": server, "tool": tool},
			"arguments": map[string]any{"message": strings.Repeat("text ", 200)},
		}})
	}
}

// killServer kills a process of the lasting engine, which restarts by itself.
func (u *soak) killServer() {
	servers := u.lasting.servers(u.t)
	if len(servers) == 0 {
		u.t.Error("the engine has no servers")
		return
	}
	_ = syscall.Kill(servers[u.minute/5%len(servers)], syscall.SIGKILL) // it may have ended already
}

// picture saves a picture, if pictures are wanted, of a different screen each time.
func (u *soak) picture() {
	if *soakFolder == "" || u.minute%4 != 0 {
		return
	}
	where := []func(){
		func() { u.find("box 90") }, func() { u.find("everything") }, func() { u.screen.key("ctrl+3") },
		func() { u.find("box 90"); u.screen.key("Down"); u.screen.key("Return") }, func() { u.screen.key("ctrl+2") },
	}
	where[u.minute/4%len(where)]()
	time.Sleep(time.Second) // until nothing moves
	u.frame(fmt.Sprintf("minute-%03d.png", u.minute))
	u.screen.key("ctrl+1")
}

// frame saves a picture of the window, if pictures are wanted.
func (u *soak) frame(name string) {
	if *soakFolder == "" {
		return
	}
	var encoded bytes.Buffer
	if err := png.Encode(&encoded, u.screen.picture(u.part(0, 0, 1100, 720))); err != nil {
		u.t.Fatal(err)
	}
	u.write(name, encoded.Bytes())
}

func (u *soak) write(name string, text []byte) {
	if err := os.MkdirAll(*soakFolder, 0o700); err != nil {
		u.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(*soakFolder, name), text, 0o600); err != nil {
		u.t.Fatal(err)
	}
}
