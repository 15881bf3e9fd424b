package store

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
)

// TestTextsAreMerged: typed text is merged with another program's change, unless both changed the same or
// adjacent lines.
func TestTextsAreMerged(t *testing.T) {
	const from = "a\nb\nc\nd\ne\n"
	for _, tt := range []struct{ ours, theirs, want string }{
		{"A\nb\nc\nd\ne\n", "a\nb\nc\nd\nE\n", "A\nb\nc\nd\nE\n"},
		{"a\nb\nc\nd\nE\n", "A\nb\nc\nd\ne\n", "A\nb\nc\nd\nE\n"},
		{"a\nB\nc\nd\ne\n", "a\nB\nc\nd\ne\n", "a\nB\nc\nd\ne\n"}, // both made the same change
		{"a\nB\nc\nd\ne\n", "a\nx\nc\nd\ne\n", ""},
		{"a\nB\nc\nd\ne\n", "a\nb\nC\nd\ne\n", ""}, // adjacent lines
		{"a\nb\nC\nd\ne\n", "a\nB\nc\nd\ne\n", ""},
		{"a\nb\nc\nD\ne\n", "A\nb\nc\nd\ne\n", "A\nb\nc\nD\ne\n"},
	} {
		got, err := Text{From: []byte(from), To: []byte(tt.ours)}.Apply([]byte(tt.theirs))
		if string(got) != tt.want || (tt.want == "") != errors.Is(err, errOverlap) {
			t.Errorf("%q and %q: %q, %v", tt.ours, tt.theirs, got, err)
		}
	}
}

// TestMemoryCounts: the memory of secrets counts its bytes. The raw text of a secret that was known only by
// its value is added later.
func TestMemoryCounts(t *testing.T) {
	var m memory
	raw := func() string { return string(m.byHash["a"].raw) }
	m.add("a", hidden{value: "12345"})
	m.add("a", hidden{value: "12345"})
	check(t, "bytes", m.bytes, 5)
	m.add("a", hidden{value: "12345", raw: []byte(`"12345"`)})
	check(t, "bytes with the text", m.bytes, 12)
	check(t, "text", raw(), `"12345"`)
	m.add("a", hidden{value: "12345", raw: []byte(`"\u00312345"`)})
	m.add("a", hidden{value: "12345"})
	check(t, "the first text stays", raw(), `"12345"`)
	check(t, "bytes in the end", m.bytes, 12)
	check(t, "order", strings.Join(m.order, " "), "a")
	for m.bytes < maxRememberedBytes { // the last one fits exactly
		hash := strings.Repeat("b", len(m.order))
		m.add(hash, hidden{value: strings.Repeat("x", min(maxRememberedBytes-m.bytes, 1<<16))})
	}
	check(t, "the oldest is still there", raw(), `"12345"`)
	m.add("c", hidden{value: "x"})
	check(t, "the oldest has gone", raw(), "")
}

// TestKeyOfTheWrongLength: a truncated key is not used.
func TestKeyOfTheWrongLength(t *testing.T) {
	folder := t.TempDir()
	name := filepath.Join(folder, "key")
	key := bytes.Repeat([]byte{7}, keyBytes)
	for _, tt := range []struct {
		key  []byte
		same bool
	}{{key, true}, {key[:keyBytes-1], false}, {append(bytes.Clone(key), 7), false}, {nil, false}} {
		if err := os.WriteFile(name, tt.key, 0o600); err != nil {
			t.Fatal(err)
		}
		check(t, "the key is taken", bytes.Equal(readHasher(folder).key, tt.key), tt.same)
	}
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	check(t, "length of a key that is made up", len(readHasher(folder).key), keyBytes)
}

// TestAtTheBounds checks limits for files of versions, names of variables and joined versions.
func TestAtTheBounds(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"00000000", "00000001", "-0000001", "x"} {
		if err := os.WriteFile(filepath.Join(folder, name+versionEnd), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	files, err := (&history{folder: folder}).files()
	if err != nil || len(files) != 1 || files[0].number != 1 {
		t.Errorf("%v, %v", files, err)
	}

	at := jsonc.Path(nil).Member("toolboxes").Member("dev").Member("TOKEN")
	check(t, "of a toolbox", variableFor(at), "RESTORE_ME_TOKEN")
	server := jsonc.Path(nil).Member("toolboxes").Member("dev").Member("mcpServers").Member("far")
	check(t, "of a server", variableFor(server.Member("url")), "RESTORE_ME_FAR_URL")
	check(t, "in the entry of a server", inServer(server), false)
	check(t, "in it", inServer(server.Member("url")), true)

	now := time.Now()
	newest := header{Version: Version{Label: "typed", Author: AuthorWindow, Time: now}}
	for after, joins := range map[time.Duration]bool{-1: false, 0: true, joinTime - 1: true, joinTime: false} {
		check(t, "joins after "+after.String(), newest.joins("typed", AuthorWindow, now.Add(after)), joins)
	}
}

// TestPrunedBySize: versions are deleted if they are larger than the limit together, but not if they are
// exactly as large.
func TestPrunedBySize(t *testing.T) {
	folder := t.TempDir()
	h := &history{folder: folder, maxVersions: 10, maxBytes: 30}
	var files []versionFile
	for i := 1; i <= 4; i++ {
		name := filepath.Join(folder, strings.Repeat("0", i)+versionEnd)
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		files = append(files, versionFile{i, name, 10})
	}
	h.prune(files)
	left, err := os.ReadDir(folder)
	if err != nil || len(left) != 3 {
		t.Errorf("%d are left, %v", len(left), err)
	}
}
