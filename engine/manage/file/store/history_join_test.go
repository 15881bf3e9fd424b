package store

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// typed returns the text after n pauses.
func typed(n int) []byte { return fmt.Appendf(nil, "{\"toolboxes\": {}} // %d\n", n) }

func TestVersionsOfTypingAreJoined(t *testing.T) {
	h := &history{folder: t.TempDir(), hasher: randomHasher(), maxVersions: DefaultMaxVersions, maxBytes: DefaultMaxBytes}
	start := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	record := func(n int, label string, author Author, at time.Duration) {
		t.Helper()
		if _, err := h.record("/x.json", typed(n), Version{Label: label, Author: author}, start.Add(at)); err != nil {
			t.Fatal(err)
		}
	}
	list := func() string {
		t.Helper()
		versions, err := h.list()
		if err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, v := range versions {
			_, text, err := h.load(v.ID)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, v.ID+" "+v.Label+strings.TrimPrefix(strings.TrimSpace(string(text)), `{"toolboxes": {}} //`))
		}
		return strings.Join(all, ", ")
	}
	record(0, "found", AuthorOther, 0)
	for i := range 40 { // 40 pauses, 10 seconds apart
		record(1+i, "type", AuthorWindow, time.Duration(i)*10*time.Second)
	}
	check(t, "typing", list(), "41 type 40, 31 type 30, 1 found 0")
	check(t, "what was before all of them", string(h.before("31")), string(typed(0)))
	check(t, "what was before the rest", string(h.before("41")), string(typed(30)))
	record(41, "other", AuthorWindow, 400*time.Second)
	record(42, "type", AuthorWindow, 401*time.Second)
	record(43, "type", AuthorCommandLine, 402*time.Second)
	record(44, "type", AuthorCommandLine, 403*time.Second)
	record(45, "found", AuthorOther, 404*time.Second)
	record(46, "found", AuthorOther, 405*time.Second)
	record(47, "type", AuthorWindow, 406*time.Second)
	record(48, "type", AuthorWindow, 300*time.Second) // the clock was set back
	check(t, "others", list(), "49 type 48, 48 type 47, 47 found 46, 46 found 45, 45 type 44, 44 type 43, 43 type 42, "+
		"42 other 41, 41 type 40, 31 type 30, 1 found 0")
}

// TestUndoOfJoinedVersions: joining removes versions from the history, but undo still restores each text.
func TestUndoOfJoinedVersions(t *testing.T) {
	p := placed(t, string(typed(0)))
	s := p.open()
	for i := range 3 {
		edited(t, s, "type", Text{From: typed(i), To: typed(i + 1)})
	}
	check(t, "history", labels(t, s), "4 type, 1 found in the file")
	changes, err := s.Changes("4")
	check(t, "changes", err == nil && strings.Contains(changes, "// 0") && strings.Contains(changes, "// 3"), true)
	for i := range 3 {
		if _, err := s.Undo(t.Context()); err != nil {
			t.Fatal(err)
		}
		check(t, "undone", p.read(), string(typed(2-i)))
	}
	check(t, "history", labels(t, s), "7 undo: type, 4 type, 1 found in the file")
	if _, err := s.Restore(t.Context(), "4"); err != nil {
		t.Fatal(err)
	}
	check(t, "restored", p.read(), string(typed(3)))
	if _, err := s.Undo(t.Context()); err != nil {
		t.Fatal(err)
	}
	check(t, "undone", p.read(), string(typed(0)))
}

// TestSecretsThatLeftTheFile: a secret that another program or a later edit removes from the file is not in
// the history, but can be restored as long as this store is open.
func TestSecretsThatLeftTheFile(t *testing.T) {
	const with = `{"toolboxes": {"dev": {"mcpServers": {"x": {"command": "x", "env": {"TOKEN": "%s", "NAME": "n"}}}}}}`
	first, without := fmt.Sprintf(with, "sesame-1"), `{"toolboxes": {}}`
	for name, leave := range map[string]func(p place, s *Store){
		"looked at":      func(p place, s *Store) { p.write(without); _ = s.Reload(t.Context()) },
		"met by an edit": func(p place, s *Store) { p.write(without); edited(t, s, "added a", addToolbox("a")) },
		"twice": func(p place, s *Store) {
			for _, text := range []string{fmt.Sprintf(with, "sesame-2"), without} {
				p.write(text)
				_ = s.Reload(t.Context())
			}
		},
		"undone, and another edit": func(p place, s *Store) {
			edited(t, s, "new", Text{From: []byte(first), To: []byte(without)})
		},
	} {
		p := placed(t, first)
		s := p.open()
		leave(p, s)
		restored, err := s.Restore(t.Context(), "1")
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		check(t, name, p.read(), first)
		check(t, name, len(restored.Kept)+len(restored.Missing), 0)
		check(t, name+", in the history", strings.Contains(p.everything(), "sesame"), false)
	}
	// This edit was undone, and another edit makes it unreachable.
	p := placed(t, without)
	s := p.open()
	edited(t, s, "add", Text{From: []byte(without), To: []byte(first)})
	if _, err := s.Undo(t.Context()); err != nil {
		t.Fatal(err)
	}
	edited(t, s, "added a", addToolbox("a"))
	if _, err := s.Restore(t.Context(), "2"); err != nil {
		t.Fatal(err)
	}
	check(t, "redone", p.read(), first)
}

func TestMemoryIsBounded(t *testing.T) {
	var m memory
	for i := range 3 * maxRemembered {
		m.add(fmt.Sprint(i), hidden{value: "v", raw: []byte(`"v"`)})
	}
	check(t, "secrets", len(m.byHash), maxRemembered)
	check(t, "order", len(m.order), maxRemembered)
	_, newest := m.byHash[fmt.Sprint(3*maxRemembered-1)]
	check(t, "newest", newest, true)
	m.add("large", hidden{value: strings.Repeat("x", maxRememberedBytes-10)})
	check(t, "bytes", m.bytes <= maxRememberedBytes, true)
	m.add("too large", hidden{value: strings.Repeat("x", maxRememberedBytes+1)})
	check(t, "bytes after", m.bytes, 0)
}
