package pin

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Files of servers that have not been used for long make room for new ones, the oldest first. Nothing else
// makes room.
func TestOldestMakesRoom(t *testing.T) {
	s := Open(t.TempDir())
	const old = maxFiles + 1
	names := make([]string, old)
	for i := range names {
		names[i] = s.Path(Hash{1, byte(i >> 8), byte(i)})
		if err := os.WriteFile(names[i], nil, 0o600); err != nil {
			t.Fatal(err)
		}
		then := time.Now().Add(-time.Duration(i+1) * time.Hour) // the last is the oldest
		if err := os.Chtimes(names[i], then, then); err != nil {
			t.Fatal(err)
		}
	}
	there := func() int {
		files, _ := filepath.Glob(filepath.Join(s.folder, "*.json"))
		return len(files)
	}
	write := func(server Hash) {
		t.Helper()
		if _, err := s.Update(context.Background(), server, func(r *Record) *Record {
			return r.With("a/b", []Definition{tool("a", fmt.Sprint(r))}, "1", false)
		}); err != nil {
			t.Fatal(err)
		}
	}
	write(Hash{2})
	if n := there(); n != maxFiles {
		t.Errorf("%d files are left", n)
	}
	for i, name := range names {
		if _, err := os.Stat(name); (err == nil) != (i < old-2) {
			t.Fatalf("of %d files, each older than the one before, number %d is there: %v", old, i, err == nil)
		}
	}
	write(Hash{2})
	if n := there(); n != maxFiles {
		t.Errorf("writing has left %d of the older files", n)
	}
	if err := os.Remove(names[0]); err != nil {
		t.Fatal(err)
	}
	for server := byte(3); server <= 4; server++ { // the first still has room, the second removes a file
		write(Hash{server})
		if n := there(); n != maxFiles {
			t.Errorf("after the new one %d there are %d files", server, n)
		}
	}
}

// A record is current only if its file still exists unchanged.
func TestCurrentNeedsTheFile(t *testing.T) {
	s, server := Open(t.TempDir()), Hash{1}
	made := (*Record)(nil).With("a/b", []Definition{tool("a", "one")}, "1", false)
	if !s.Current(server, made) {
		t.Error("without a file, a record that was never written is not current")
	}
	list(t, s, server, "1", false, tool("a", "one"))
	if s.Current(server, made) {
		t.Error("a record that was never written is current")
	}
	path := s.Path(server)
	source, _ := os.ReadFile(path)
	info, _ := os.Stat(path)
	for name, change := range map[string]func() error{
		"longer": func() error {
			_ = os.WriteFile(path, append(source, '\n'), 0o600)
			return os.Chtimes(path, time.Time{}, info.ModTime())
		},
		"written later": func() error { return os.Chtimes(path, time.Time{}, info.ModTime().Add(time.Second)) },
		"not the same":  func() error { return os.Rename(path+".other", path) },
		"not there":     func() error { return os.Remove(path) },
	} {
		if err := os.WriteFile(path, source, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path+".other", source, 0o600); err != nil {
			t.Fatal(err)
		}
		for _, file := range []string{path, path + ".other"} {
			if err := os.Chtimes(file, time.Time{}, info.ModTime()); err != nil {
				t.Fatal(err)
			}
		}
		record, err := s.Load(server)
		if err != nil || !s.Current(server, record) {
			t.Fatalf("a record that was just read is not current: %v", err)
		}
		if err := change(); err != nil {
			t.Fatal(err)
		}
		if s.Current(server, record) {
			t.Errorf("the record is current although the file is %s", name)
		}
	}
}

// A name is stored unchanged, unless it is long.
func TestLongNames(t *testing.T) {
	long := strings.Repeat("n", maxName)
	if got := key(long); got != long {
		t.Errorf("a name of %d bytes is kept as %q", len(long), got)
	}
	if a, b := key(long+"a"), key(long+"b"); a == b || len(a) > maxName {
		t.Errorf("two long names are kept as %q and %q", a, b)
	}
}

// A value that is not a hash makes a file count as damaged.
func TestHashesOfAFile(t *testing.T) {
	hash := strings.Repeat("0", 64)
	for cells, ok := range map[string]bool{
		hash + "\t\t\t\t": true, hash + "\t" + hash + "\t\t\t": true, hash + " " + hash + "\t\t\t\t": true,
		hash[1:] + "g\t\t\t\t": false, hash[1:] + "\t\t\t\t": false, hash + "0\t\t\t\t": false,
		hash + "\t" + hash[1:] + "g\t\t\t": false, hash + " \t\t\t\t": false,
	} {
		if _, err := decode([]byte("{\"format\":1}\n\"a\"\t" + cells + "\n")); (err == nil) != ok {
			t.Errorf("%q: %v", cells, err)
		}
	}
}

// The list of the server's last tools is written again if it is another part of what is stored. It is not
// written if the server lists no tools, as a server does that has not started properly.
func TestPartOfWhatIsKept(t *testing.T) {
	a, b, c := tool("a", "one"), tool("b", "one"), tool("c", "one")
	r := (*Record)(nil).With("a/b", []Definition{a, b, c}, "1", false).With("a/b", []Definition{a, b}, "1", false)
	for name, test := range map[string]struct {
		tools []Definition
		stale bool
	}{
		"the same": {[]Definition{a, b}, false}, "fewer": {[]Definition{a}, true},
		"one of before": {[]Definition{a, b, c}, true}, "none": {nil, false},
	} {
		if v := r.Judge(test.tools, "1", false); v.Stale != test.stale || v.Withheld != nil || v.New != nil {
			t.Errorf("%s: %+v", name, v)
		}
	}
}

// TestCorrectedDefinition: a tool that was approved as its server wrote it stays approved now that its
// definition is corrected first.
func TestCorrectedDefinition(t *testing.T) {
	const raw, mended = `{"name":"a","title":null,"inputSchema":{"type":"object"}}`,
		`{"name":"a","inputSchema":{"type":"object"}}`
	before := (*Record)(nil).With("box/server", []Definition{{Name: "a", Raw: json.RawMessage(raw)}}, "1", false)
	after, err := decode(before.encode())
	if err != nil {
		t.Fatal(err)
	}
	if v := after.Judge([]Definition{{Name: "a", Raw: json.RawMessage(mended)}}, "1", false); v.Withheld != nil {
		t.Errorf("withheld: %v", v.Withheld)
	}
	if v := after.Judge([]Definition{
		{Name: "a", Raw: json.RawMessage(`{"name":"a","description":"x","inputSchema":{"type":"object"}}`)}}, "1",
		false); v.Withheld == nil {
		t.Error("a changed tool is not withheld")
	}
}
