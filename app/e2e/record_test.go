//go:build linux

package e2e

import (
	"encoding/json"
	"flag"
	"fmt"
	"image"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jezek/xgb/xproto"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
)

var recordFile = flag.String("record", "",
	"record the window of a thousand servers while it is used, into this `file` below the project (.webp, .mp4, or as "+
		"it is .mkv)")

// TestRecord makes a film of the window with 1,000 servers in 100 toolboxes. The tree and the cards are scrolled,
// servers are selected and searched for, one is edited and one dragged to another toolbox, both are undone, and all
// screens are shown, light and dark. Run it by hand; it needs ffmpeg:
//
//	go test ./app/e2e -run TestRecord -record docs/adr/pictures/048-a-thousand-servers.webp -v
func TestRecord(t *testing.T) {
	if *recordFile == "" {
		t.Skip("-record was not given")
	}
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		t.Fatal(err)
	}
	r := startFilm(t)
	raw := filepath.Join(t.TempDir(), "raw.mkv")
	camera := start(t, r.session.env, "ffmpeg", "-nostdin", "-y", "-loglevel", "error", "-f", "x11grab", "-framerate",
		"12", "-draw_mouse", "1",
		"-video_size", "1100x720", "-i", fmt.Sprintf("%s+%d,%d", r.display(), r.origin.X, r.origin.Y),
		"-c:v", "libx264", "-preset", "ultrafast", "-qp", "0", raw)
	begun := time.Now()
	r.play()
	t.Logf("%v of film", time.Since(begun).Round(time.Second))
	if err := camera.cmd.Process.Signal(syscall.SIGINT); err != nil { // makes ffmpeg complete the file
		t.Fatal(err)
	}
	<-camera.done
	coding := []string{"-c:v", "copy"}
	switch filepath.Ext(*recordFile) {
	case ".mp4":
		coding = []string{"-c:v", "libx264", "-preset", "slow", "-crf", "30", "-pix_fmt", "yuv420p", "-movflags",
			"+faststart"}
	case ".webp": // web pages can show it as a picture
		coding = []string{"-c:v", "libwebp_anim", "-preset", "text", "-quality", "80", "-compression_level", "4", "-loop",
			"0"}
	}
	film, err := filepath.Abs(filepath.Join("..", "..", *recordFile)) // go test runs in this folder
	if err != nil {
		t.Fatal(err)
	}
	if filepath.IsAbs(*recordFile) {
		film = *recordFile
	}
	args := append([]string{"-nostdin", "-y", "-loglevel", "error", "-i", raw}, coding...)
	if said, err := exec.Command("ffmpeg", append(args, film)...).CombinedOutput(); err != nil {
		t.Fatalf("encoding the film: %v\n%s", err, said)
	}
}

// film is a running TestRecord. Its pauses are for those who watch the film.
type film struct {
	t       *testing.T
	session *session
	screen  *screen
	origin  image.Point // of the window
	mouse   image.Point // in the window
}

func startFilm(t *testing.T) *film {
	r := &film{t: t, session: newSession(t, filmConfig(t)), mouse: image.Pt(600, 500)}
	r.session.run(t)
	eventually(t, r.session.hasWindow)
	eventually(t, r.session.has(colorAccent, 500))
	x, y, _, _ := r.session.geometry(t)
	r.origin = image.Pt(x, y)
	r.screen = r.session.display
	r.session.newEngine(t).open(t, "atlas") // so that some servers are connected
	r.wait(2000)
	return r
}

// filmConfig returns a configuration with 1,000 servers in 100 toolboxes. The servers of the first toolbox can be
// connected.
func filmConfig(t *testing.T) string {
	boxes := map[string]any{}
	kinds := []string{"files", "git", "issues", "search", "calendar", "mail", "database", "browser", "memory", "deploy"}
	for i := range 100 {
		name := "atlas"
		if i > 0 {
			name = fmt.Sprintf("team-%02d", i)
		}
		servers := map[string]any{}
		for _, kind := range kinds {
			server := map[string]any{"command": "sh", "args": []string{"-c", "exec cat"},
				"env": map[string]string{"LEVEL": "info"}}
			if i == 0 {
				server = fake(fakeserver.Script{})
			}
			if kind == "search" && i > 0 {
				server = map[string]any{"url": fmt.Sprintf("https://search.example.com/team-%02d/mcp", i)}
			}
			servers[fmt.Sprintf("%s-%02d", kind, i)] = server
		}
		boxes[name] = map[string]any{"description": fmt.Sprintf("The tools of %s", name), "mcpServers": servers}
	}
	text, err := json.MarshalIndent(map[string]any{"toolboxes": boxes}, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// display returns the name of the session's display.
func (r *film) display() string {
	for _, variable := range r.session.env {
		if value, ok := strings.CutPrefix(variable, "DISPLAY="); ok {
			return value
		}
	}
	return ""
}

// play does what the film shows.
func (r *film) play() {
	r.wait(800)
	r.glide(250, 420)
	r.turn(5, 40) // scrolls the tree
	r.turn(4, 40)
	r.find("team-07")
	for range 8 { // selects servers with the keyboard
		r.key("Down")
	}
	r.glide(740, 480)
	r.turn(5, 10) // scrolls the cards
	r.turn(4, 10)

	r.find("team-42")
	r.key("Down")
	r.key("Return") // shows its settings
	r.wait(800)
	r.click(650, 412)
	r.key("ctrl+a")
	r.types("python")
	r.key("ctrl+s")
	r.wait(900)
	r.click(750, 60)
	r.key("ctrl+z")
	r.wait(900)
	r.key("Escape")
	r.wait(500)

	r.drag()
	r.wait(1200)
	r.key("ctrl+z")
	r.wait(1200)

	for _, screen := range []int{105, 170, 650} {
		r.click(48, screen)
		r.wait(900)
	}
	r.click(962, 190) // dark
	r.wait(900)
	r.click(48, 40)
	r.wait(500)
	r.glide(250, 420)
	r.turn(5, 30)
	r.turn(4, 30)
	r.wait(1000)
}

// see calls do and waits until the window is still, which takes longer on a busy machine.
func (r *film) see(do func()) {
	part := image.Rect(100, 10, 1090, 690).Add(r.origin)
	r.screen.answer(part, do)
	last := r.screen.pixels(part)
	for deadline := time.Now().Add(5 * time.Second); time.Now().Before(deadline); {
		r.wait(200)
		now := r.screen.pixels(part)
		if slices.Equal(now, last) {
			return
		}
		last = now
	}
}

func (r *film) key(keys string) { r.see(func() { r.screen.key(keys) }) }

func (r *film) wait(ms int) { time.Sleep(time.Duration(ms) * time.Millisecond) }

// glide moves the mouse to a place of the window like a hand.
func (r *film) glide(x, y int) {
	from, to := r.mouse, image.Pt(x, y)
	for step := 1; step <= 16; step++ {
		r.screen.move(from.Add(to.Sub(from).Mul(step).Div(16)).Add(r.origin))
		r.wait(16)
	}
	r.mouse = to
}

func (r *film) click(x, y int) {
	r.glide(x, y)
	r.see(func() { r.screen.button(1) })
}

// turn turns the wheel: 5 is down and 4 is up.
func (r *film) turn(wheel byte, times int) {
	for range times {
		r.screen.button(wheel)
		r.wait(35)
	}
	r.wait(200)
}

func (r *film) types(text string) {
	for _, letter := range text {
		r.screen.key(strings.ReplaceAll(string(letter), "-", "minus"))
		r.wait(90)
	}
}

func (r *film) find(name string) {
	r.screen.key("ctrl+f")
	r.wait(200)
	r.types(name)
	r.wait(600)
	r.key("Return")
	r.key("Escape")
	r.wait(400)
}

// drag drags a server in the tree to the next toolbox.
func (r *film) drag() {
	r.glide(230, 213)
	r.screen.input(xproto.ButtonPress, 1, 0, 0)
	r.wait(200)
	r.glide(230, 213+11*34)
	r.wait(900)
	r.see(func() { r.screen.input(xproto.ButtonRelease, 1, 0, 0) })
}
