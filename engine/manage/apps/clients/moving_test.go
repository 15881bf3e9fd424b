package clients

import (
	"errors"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/excerpt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// move removes entries from the file of an app.
func (p *place) content(id, file string) *excerpt.File {
	p.t.Helper()
	source, err := rowOf(p.t, id).Content(file)
	if err != nil {
		p.t.Fatal(err)
	}
	return source
}

func (p *place) move(id string, names ...string) (Move, error) {
	p.t.Helper()
	file := p.file(id)
	m, err := p.PlanMove(rowOf(p.t, id), file, p.content(id, file), names)
	if err != nil {
		return Move{}, err
	}
	return p.Move(m)
}

const threeServers = "{\n  \"mcpServers\": {\n    \"a\": {\"command\": \"a\", \"env\": {\"KEY\": " +
	"\"made-up-secret\"}},\n    \"b\": {\"command\": \"b\"}, // mine\n    \"c\": {\"command\": \"c\"}\n  }\n}\n"

// TestMovesAndConnecting: connecting, moving and disconnecting work in any order. Only what was asked for is
// removed, and all of it can be put back.
func TestMovesAndConnecting(t *testing.T) {
	p := newPlace(t)
	file := p.file("cursor")
	p.put(file, threeServers)
	p.must(p.connect("cursor"))
	first, err := p.move("cursor", "a")
	if err != nil {
		t.Fatal(err)
	}
	if all, err := p.Status(p.launch); err != nil || !isConnected(all, "cursor") {
		t.Errorf("the client is no longer connected: %v", err)
	}
	p.must(p.disconnect("cursor"))
	if text := p.text(file); text != strings.Replace(threeServers,
		"    \"a\": {\"command\": \"a\", \"env\": {\"KEY\": \"made-up-secret\"}},\n", "", 1) {
		t.Errorf("after moving and disconnecting:\n%s", text)
	}
	// The backup of the first move has our entry. That entry is not restored, but the moved ones are.
	if err := p.GiveBack(first); err != nil {
		t.Error(err)
	}
	if text := p.text(file); text != "{\n  \"mcpServers\": {\n    \"b\": {\"command\": \"b\"}, // mine\n    \"c\": "+
		"{\"command\": \"c\"},\n    \"a\": {\"command\": \"a\", \"env\": {\"KEY\": \"made-up-secret\"}}\n  }\n}\n" {
		t.Errorf("given back after disconnecting:\n%s", text)
	}

	second, err := p.move("cursor", "b", "c")
	if err != nil {
		t.Fatal(err)
	}
	moved := p.text(file)
	p.must(p.connect("cursor"))
	p.must(p.disconnect("cursor"))
	if p.text(file) != moved {
		t.Errorf("disconnecting gives\n%s", p.text(file))
	}
	p.whole(file)
	if err := p.GiveBack(second); err != nil {
		t.Error(err)
	}
	if text := p.text(file); !strings.Contains(text, `"b": {"command": "b"}, // mine`) {
		t.Errorf("given back:\n%s", text)
	}

	// The client stays connected.
	third, err := p.move("cursor", "b", "c")
	if err != nil {
		t.Fatal(err)
	}
	p.must(p.connect("cursor"))
	if err := p.GiveBack(third); err != nil {
		t.Error(err)
	}
	if all, err := p.Status(p.launch); err != nil || !isConnected(all, "cursor") ||
		!strings.Contains(p.text(file), `"c": {"command": "c"}`) {
		t.Errorf("after giving back to a connected client: %v\n%s", err, p.text(file))
	}
	p.must(p.disconnect("cursor"))
	if text := p.text(file); strings.Contains(text, "workbench") || !strings.Contains(text, `"b"`) ||
		!strings.Contains(text, `"a"`) {
		t.Errorf("disconnecting gives\n%s", text)
	}
	if left, err := p.Moves(); err != nil || len(left) > 0 {
		t.Errorf("still moved are %v, %v", left, err)
	}
}

// TestGiveBackAfterRewriting: Claude Desktop rewrites its file in its own style when it ends. The moved
// entries are put back all the same, and nothing else is changed.
func TestGiveBackAfterRewriting(t *testing.T) {
	p := newPlace(t)
	file := p.file("claude-desktop")
	p.put(file, "{\"mcpServers\": {\"a\": {\r\n  \"command\": \"a\",\r\n  \"args\": [1, null, {\"deep\": "+
		"\"\u00e4\"}]\r\n}, \"b\": {\"command\": \"b\"}}}")
	m, err := p.move("claude-desktop", "a", "b")
	if err != nil {
		t.Fatal(err)
	}
	for rewritten, want := range map[string]string{
		"{\n  \"theme\": \"dark\"\n}\n": "{\n  \"theme\": \"dark\",\n  \"mcpServers\": {\n    \"a\": {\n  \"command\": \"a\",\n  \"args\": [1, null, {\"deep\": \"\u00e4\"}]\n},\n    \"b\": {\"command\": \"b\"}\n  }\n}\n",
		"{\n  \"mcpServers\": {\n    \"b\": {\n      \"command\": \"b\"\n    }\n  }\n}\n": "{\n  \"mcpServers\": {\n    \"b\": {\n      \"command\": \"b\"\n    },\n    \"a\": {\n  \"command\": \"a\",\n  \"args\": [1, null, {\"deep\": \"\u00e4\"}]\n}\n  }\n}\n",
	} {
		p.put(file, rewritten)
		got, err := rowOf(t, "claude-desktop").putBack([]byte(rewritten), []byte(mustRead(t, p.BackupOf(m))), m.Names)
		if err != nil || string(got) != want {
			t.Errorf("after the entries were restored in %s, the file is\n%s, %v", rewritten, got, err)
		}
	}
	if err := p.GiveBack(m); err != nil {
		t.Error(err)
	}
}

func mustRead(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func isConnected(all []Status, id string) bool {
	for _, status := range all {
		if status.Client.ID == id {
			return status.State == Connected
		}
	}
	return false
}

// TestMoveRefusals: a client that writes its file from memory must not be running, and a file that has
// changed since it was read is not written.
func TestMoveRefusals(t *testing.T) {
	p := newPlace(t)
	file := p.file("claude-desktop")
	p.put(file, strings.ReplaceAll(threeServers, " // mine", ""))
	before := p.text(file)
	p.system.Processes = func() ([]Process, error) { return p.claude(), nil }
	p.Registrar.system = p.system
	var running *RunningError
	if _, err := p.move("claude-desktop", "a"); !errors.As(err, &running) {
		t.Errorf("entries were moved while the client is running: %v", err)
	}
	p.Registrar.system.Processes = nil
	stale, err := p.PlanMove(rowOf(t, "claude-desktop"), file, p.content("claude-desktop", file), []string{"a"})
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(stale.Diff(), "made-up-secret") || !strings.Contains(stale.Diff(), `-    "a"`) {
		t.Errorf("the difference is\n%s", stale.Diff())
	}
	p.put(file, before+" ")
	var refused *RefusedError
	if _, err := p.Move(stale); !errors.As(err, &refused) || p.text(file) != before+" " {
		t.Errorf("a changed file was written: %v", err)
	}
	for _, name := range []string{"nothing", "workbench"} {
		p.put(file, `{"mcpServers": {"workbench": {"command": "/x/workbench-desktop", "args": ["stdio"]}}}`)
		if _, err := p.move("claude-desktop", name); err == nil || !strings.Contains(err.Error(), "was left alone") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if moves, err := p.Moves(); err != nil || len(moves) > 0 {
		t.Errorf("the ledger has %v, %v", moves, err)
	}
	if left, _ := filepath.Glob(filepath.Join(p.Folder(), "moved-*")); len(left) > 0 {
		t.Errorf("%v was left", left)
	}
}

// TestGiveBackRefusals: an error says where the copy of the file is, or that it is gone.
func TestGiveBackRefusals(t *testing.T) {
	p := newPlace(t)
	file := p.file("cursor")
	p.put(file, threeServers)
	m, err := p.move("cursor", "a", "c")
	if err != nil {
		t.Fatal(err)
	}
	moved := p.text(file)
	for _, now := range []string{`{"mcpServers": {"c": {"command": "another"}}}`, `{"mcpServers": {"a": {}, "a": {}}}`,
		`{"mcpServers": []}`, `{`} {
		p.put(file, now)
		if err := p.GiveBack(m); err == nil || !strings.Contains(err.Error(), "was left alone") ||
			!strings.Contains(err.Error(), p.BackupOf(m)) || p.text(file) != now {
			t.Errorf("given back over %s: %v", now, err)
		}
	}
	p.put(file, moved)
	if err := os.WriteFile(p.BackupOf(m), []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := p.GiveBack(m); err == nil || !strings.Contains(err.Error(), "is gone or has been changed") ||
		p.text(file) != moved {
		t.Errorf("given back from a copy that is another: %v", err)
	}
	p.put(filepath.Join(p.Folder(), "moves.json"), `{"format": 9}`)
	if _, err := p.Moves(); err == nil || !strings.Contains(err.Error(), "from another version") {
		t.Errorf("a ledger of another version was read: %v", err)
	}
	if _, err := p.move("cursor", "b"); err == nil || p.text(file) != moved {
		t.Errorf("moved without a note in the ledger: %v", err)
	}
}
