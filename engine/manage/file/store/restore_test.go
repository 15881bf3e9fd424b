package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// The values here must not look like those of any real service, or scanners report this file as a leak.
func token(name string) string { return "tok" + "-" + name + strings.Repeat("0123456789", 3) }

// secretive returns a file with secrets in all places where they are found.
func secretive() (source string, secrets []string) {
	secrets = []string{"hunter2", "env-value", "header-value", token("unknownkey"), "flag-value", "flag=value",
		"pass-word", "query-value", "commented", token("comment"), "def-ault", "unknown-member", "in-a-list",
		"esc\\u0061ped"}
	source = fmt.Sprintf(`{
  // "OLD_TOKEN": "commented", and %s
  "toolboxes": {
    "dev": {
      "mcpServers": {
        "one": {
          "command": "npx",
          "args": ["-y", "one", "--api-key", "flag-value", "--token=flag=value", "--verbose", "--password", "${PASSWORD}"],
          "env": {"DB_PASSWORD": "hunter2", "GITHUB_TOKEN": "env-value", "NAME": "%s", "HOME_KEY": "${keyring:home}", "WITH_TOKEN": "${X:-def-ault}",
            "ESC_TOKEN": "esc\u0061ped", "MAX_TOKENS": "4096", "PLAIN": "plain text"}
        },
        "two": {
          "url": "https://me:pass-word@example.com/mcp?api_key=query-value&page=7",
          "headers": {"X-Api-Key": "header-value", "Authorization": "Bearer ${API_KEY}"},
          "auth": {"client": "unknown-member", "scopes": ["in-a-list"]},
        },
      },
    },
  },
}
`, token("comment"), token("unknownkey"))
	return source, secrets
}

func TestHideSecrets(t *testing.T) {
	source, secrets := secretive()
	hasher := randomHasher()
	hiddenText := string(hideSecrets([]byte(source), hasher))
	for _, value := range secrets {
		if !strings.Contains(source, value) {
			t.Fatalf("the test has no %q", value)
		}
		if strings.Contains(hiddenText, value) {
			t.Errorf("%q is there in clear:\n%s", value, hiddenText)
		}
	}
	for _, kept := range []string{`"${PASSWORD}"`, "${keyring:home}", `"Bearer ${API_KEY}"`, `"4096"`, "plain text",
		"https://me:<secret ", "&page=7", `"--token=<secret `, `"--verbose"`, "// \"OLD_TOKEN\""} {
		if !strings.Contains(hiddenText, kept) {
			t.Errorf("%q is not there any more:\n%s", kept, hiddenText)
		}
	}
	if broken([]byte(hiddenText)) {
		t.Errorf("the text is broken:\n%s", hiddenText)
	}
	resolved, kept, missing := learn(hasher, []byte(hiddenText), []byte(source), nil).resolve([]byte(hiddenText))
	check(t, "resolved", string(resolved), source)
	check(t, "kept and missing", len(kept)+len(missing), 0)

	// The hashes of another user are different.
	if again := string(hideSecrets([]byte(source), randomHasher())); again == hiddenText {
		t.Error("the hashes have no key")
	}
}

func TestHideSecretsInBrokenFiles(t *testing.T) {
	source, secrets := secretive()
	for _, damage := range []string{"}", "\"", "[", ","} {
		text := source[:len(source)-4] + damage + "\x00"
		if !broken([]byte(text)) {
			t.Fatalf("%q is not broken", damage)
		}
		hiddenText := string(hideSecrets([]byte(text), randomHasher()))
		for _, value := range secrets {
			if value == "unknown-member" || value == "in-a-list" {
				continue // only the structure tells that it is secret
			}
			if strings.Contains(hiddenText, value) {
				t.Errorf("%q is there in clear:\n%s", value, hiddenText)
			}
		}
	}
}

// everything returns all files of the history.
func (p place) everything() string {
	p.t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(p.history, func(name string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(name)
		all.WriteString(name + "\n")
		all.Write(content)
		return err
	})
	if err != nil {
		p.t.Fatal(err)
	}
	return all.String()
}

func TestRestore(t *testing.T) {
	source, secrets := secretive()
	p := placed(t, source)
	s := p.open()
	edited(t, s, "added toolbox a; token: hunter2", addToolbox("a"))
	edited(t, s, "removed toolbox dev", patch(`[{"op": "remove", "path": "/toolboxes/dev"}]`))
	edited(t, s, "added toolbox b", addToolbox("b"))
	everything := p.everything()
	for _, value := range secrets {
		if strings.Contains(everything, value) {
			t.Errorf("%q is in the history in clear", value)
		}
	}
	diff, err := s.Diff("1")
	if err != nil || !strings.Contains(diff, "+    \"dev\"") || strings.Contains(diff, "hunter2") {
		t.Errorf("%v\n%s", err, diff)
	}
	changes, err := s.Changes("3")
	if err != nil || !strings.Contains(changes, "-    \"dev\"") || strings.Contains(changes, "hunter2") {
		t.Errorf("%v\n%s", err, changes)
	}
	before := p.read()
	plan, err := s.PlanRestore("1")
	check(t, "planned", err == nil && string(plan.After.Source) == source && p.read() == before, true)

	// This store still has the secrets in memory.
	restored, err := s.Restore(t.Context(), "1")
	if err != nil {
		t.Fatal(err)
	}
	check(t, "file", p.read(), source)
	check(t, "kept and missing", len(restored.Kept)+len(restored.Missing), 0)
	check(t, "history", strings.HasPrefix(labels(t, s), "5 restored version 1 of "), true)
	first, _, err := s.Version("1")
	if err != nil {
		t.Fatal(err)
	}
	made, _, err := s.Version("5") // as it is read from the disk
	if err != nil {
		t.Fatal(err)
	}
	when := first.Time.Local()
	check(t, "in German", words.In("de").Text(made.Text()),
		"Version 1 vom "+when.Format("02.01.2006, 15:04:05")+" wiederhergestellt")
	check(t, "in English", words.English().Text(made.Text()), "restored version 1 of "+when.Format("2006-01-02 15:04:05"))
	if _, err := s.Undo(t.Context()); err != nil {
		t.Fatal(err)
	}
	check(t, "undone", p.read(), before)
	if diff, err := s.Diff("1"); err != nil || diff == "" {
		t.Errorf("%q, %v", diff, err)
	}
	if _, err := s.Restore(t.Context(), "77"); err == nil || !strings.Contains(err.Error(), `no version "77"`) {
		t.Error(err)
	}
}

func TestRestoreWithoutTheSecrets(t *testing.T) {
	const first = `{"toolboxes": {"dev": {"mcpServers": {
  "git hub": {"command": "x", "env": {"TOKEN": "old-one", "OTHER_TOKEN": "same"}, "args": ["--key=abc"]},
  "b": {"command": "x", "env": {"TOKEN": "gone"}}, // TOKEN: gone
}}}}`
	const second = `{"toolboxes": {"dev": {"mcpServers": {
  "git hub": {"command": "x", "env": {"TOKEN": "new-one"}},
  "c": {"command": "x", "env": {"MOVED_TOKEN": "same"}}
}}}}`
	p := placed(t, first)
	p.open()
	p.write(second)
	s := p.open() // a store that never had the first version
	restored, err := s.Restore(t.Context(), "1")
	if err != nil {
		t.Fatal(err)
	}
	got := p.read()
	for _, want := range []string{`"TOKEN": "new-one"`, `"OTHER_TOKEN": "same"`, `"--key=${RESTORE_ME_GIT_HUB_ARGS}"`,
		`"TOKEN": "${RESTORE_ME_B_TOKEN}"`, "// TOKEN: <secret "} {
		if !strings.Contains(got, want) {
			t.Errorf("there is no %s in\n%s", want, got)
		}
	}
	check(t, "kept", fmt.Sprint(restored.Kept), `[{toolboxes.dev.mcpServers["git hub"].env.TOKEN }]`)
	check(t, "missing", fmt.Sprint(restored.Missing),
		`[{toolboxes.dev.mcpServers["git hub"].args[0] RESTORE_ME_GIT_HUB_ARGS} {toolboxes.dev.mcpServers.b.env.TOKEN RESTORE_ME_B_TOKEN}]`)
	check(t, "valid", s.Current().Valid(), true)
}

func TestRestoreOverABrokenFile(t *testing.T) {
	p := placed(t, small)
	s := p.open()
	const brokenText = `{"toolboxes": {"dev": {TOKEN: hunter2`
	p.write(brokenText)
	if err := s.Reload(t.Context()); err != nil {
		t.Fatal(err)
	}
	check(t, "history", labels(t, s), "2 found in the file, 1 found in the file")
	if _, err := s.Restore(t.Context(), "1"); err != nil {
		t.Fatal(err)
	}
	check(t, "file", p.read(), small)
	if _, err := s.Restore(t.Context(), "2"); !errors.Is(err, ErrBrokenVersion) {
		t.Error(err)
	}
	_, text, err := s.Version("2")
	if err != nil || !strings.HasPrefix(string(text), `{"toolboxes": {"dev": {TOKEN: <secret `) {
		t.Errorf("%q, %v", text, err)
	}
	if _, err := s.Undo(t.Context()); err != nil {
		t.Fatal(err)
	}
	check(t, "undone", p.read(), brokenText)
}

func TestRestoreOfARemovedFile(t *testing.T) {
	p := placed(t, small)
	s := p.open()
	if err := os.Remove(p.file); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Restore(t.Context(), "1"); err != nil { // the change has not been noticed yet
		t.Fatal(err)
	}
	check(t, "file", p.read(), small)
	if err := os.Remove(p.file); err != nil {
		t.Fatal(err)
	}
	if err := s.Reload(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Restore(t.Context(), "1"); err != nil {
		t.Fatal(err)
	}
	check(t, "file", p.read(), small)
}

func TestRestoreMeanwhileChanged(t *testing.T) {
	p := placed(t, small)
	s := p.open()
	edited(t, s, "added a", addToolbox("a"))
	theirs := strings.Replace(p.read(), "mine", "theirs", 1)
	p.write(theirs)
	var conflict *Conflict
	if _, err := s.Restore(t.Context(), "1"); !errors.As(err, &conflict) {
		t.Fatal(err)
	}
	check(t, "file", p.read(), theirs)
	// The change is known now, so the user can decide.
	if _, err := s.Restore(t.Context(), "1"); err != nil {
		t.Fatal(err)
	}
	check(t, "file", p.read(), small)
	check(t, "history", strings.Contains(labels(t, s), "3 found in the file"), true)
}

func TestHistoryIsBounded(t *testing.T) {
	p := placed(t, small)
	options := p.options()
	options.MaxVersions = 5
	s, err := Open(options)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 12 {
		edited(t, s, fmt.Sprint("added ", i), addToolbox(fmt.Sprint("t", i)))
	}
	check(t, "history", labels(t, s), "13 added 11, 12 added 10, 11 added 9, 10 added 8, 9 added 7")

	options.MaxVersions, options.MaxBytes = 0, 3000
	if s, err = Open(options); err != nil {
		t.Fatal(err)
	}
	edited(t, s, "long", Text{From: []byte(p.read()), To: []byte(p.read() + "// " + strings.Repeat("x", 1500))})
	check(t, "history", labels(t, s), "14 long")
	edited(t, s, "longer than all", Text{From: []byte(p.read()), To: []byte(p.read() + strings.Repeat("y", 5000))})
	check(t, "history", labels(t, s), "15 longer than all")
}

func TestHistoryOfEqualVersions(t *testing.T) {
	p := placed(t, small)
	for range 3 {
		p.open()
	}
	s := p.open()
	check(t, "history", labels(t, s), "1 found in the file")
	p.write(strings.Replace(small, "mine", "theirs", 1))
	p.open()
	p.write(small)
	check(t, "history", labels(t, p.open()), "3 found in the file, 2 found in the file, 1 found in the file")
	// Versions that differ only in a secret are different versions.
	for _, value := range []string{"a", "b"} {
		p.write(fmt.Sprintf(`{"toolboxes": {"dev": {"mcpServers": {"x": {"command": "x", "env": {"TOKEN": %q}}}}}}`, value))
		p.open()
	}
	changes, err := s.Changes("5")
	if err != nil || strings.Count(changes, "<secret ") != 2 {
		t.Errorf("%v\n%s", err, changes)
	}
	versions, err := s.History()
	if err != nil || versions[0].Author != AuthorOther || versions[0].Size != int64(len(p.read())) ||
		versions[0].Time.IsZero() {
		t.Errorf("%+v, %v", versions[0], err)
	}
}

func TestHistoryIsPrivate(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the rights come from the user's folder")
	}
	p := placed(t, small)
	edited(t, p.open(), "added a", addToolbox("a"))
	err := filepath.WalkDir(p.history, func(name string, entry os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		want := os.FileMode(0o600)
		if entry.IsDir() {
			want = 0o700
		}
		if err == nil && info.Mode().Perm() != want {
			t.Errorf("%s has mode %v", name, info.Mode())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestDamagedHistory(t *testing.T) {
	p := placed(t, small)
	s := p.open()
	edited(t, s, "two", addToolbox("a"))
	edited(t, s, "three", addToolbox("b"))
	edited(t, s, "four", addToolbox("c"))
	name := func(i int) string { return filepath.Join(s.history.folder, fmt.Sprintf("%08d%s", i, versionEnd)) }
	content, err := os.ReadFile(name(4))
	if err != nil {
		t.Fatal(err)
	}
	var head header
	if err := json.Unmarshal([]byte(strings.SplitN(string(content), "\n", 2)[0]), &head); err != nil ||
		head.Path != p.file {
		t.Fatalf("%+v, %v", head, err)
	}
	for i, damaged := range map[int][]byte{1: nil, 2: []byte("{}\n"), 4: content[:len(content)-20]} {
		if err := os.WriteFile(name(i), damaged, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(name(5), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, junk := range []string{"x" + versionEnd, "-3" + versionEnd, "note.txt"} {
		if err := os.WriteFile(filepath.Join(s.history.folder, junk), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	check(t, "history", labels(t, s), "3 three")
	edited(t, s, "six", addToolbox("d"))
	check(t, "history", labels(t, s), "6 six, 3 three")
	for _, id := range []string{"1", "2", "4", "5", "", "x", "-3", "../3", "03"} {
		if _, err := s.Restore(t.Context(), id); err == nil {
			t.Errorf("version %q was restored", id)
		}
	}
	if changes, err := s.Changes("6"); err != nil || !strings.Contains(changes, `"d"`) {
		t.Errorf("%s, %v", changes, err)
	}

	// A changed text is noticed even if its length is right.
	content, err = os.ReadFile(name(3))
	if err != nil {
		t.Fatal(err)
	}
	content[len(content)-3] ^= 1
	if err := os.WriteFile(name(3), content, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Restore(t.Context(), "3"); !errors.Is(err, errDamaged) {
		t.Error(err)
	}

	// An invalid key is noticed too. A new key replaces it.
	if err := os.WriteFile(filepath.Join(p.history, "key"), []byte("short"), 0o600); err != nil {
		t.Fatal(err)
	}
	check(t, "history", strings.HasPrefix(labels(t, p.open()), "7 found in the file, 6 six"), true)
	key, err := os.ReadFile(filepath.Join(p.history, "key"))
	check(t, "new key", err == nil && len(key) == keyBytes, true)
}

func FuzzHideSecrets(f *testing.F) {
	source, _ := secretive()
	f.Add([]byte(source))
	f.Add([]byte("\ufeff{\"toolboxes\": {\"a\": {\"mcpServers\": {\"b\": {\"env\": {\"TOKEN\": \"x\", \"PIN\": 12345, " +
		"\"K_KEY\": \"<secret 0123456789abcdef>\"}}}}}}"))
	f.Add([]byte(`{TOKEN: x`))
	f.Add([]byte(`{"TOKEN": "\ud800"} // TOKEN: x`))
	hasher := hasher{make([]byte, keyBytes)}
	f.Fuzz(func(t *testing.T, source []byte) {
		text := hideSecrets(source, hasher)
		if broken(source) {
			return
		}
		if broken(text) {
			t.Fatalf("%q became broken: %q", source, text)
		}
		for l := range literals(jsonc.Parse(source)) {
			if !l.name && l.kind == jsonc.String && len(l.at) == 6 && l.at[4].Key == "env" && l.at[5].Key == "TOKEN" {
				if value := l.text; len(value) > 8 && !strings.Contains(value, "$") && strings.Contains(string(text), value) &&
					strings.Count(string(source), value) == 1 {
					t.Fatalf("%q is in %q", value, text)
				}
			}
		}
		resolved, _, missing := learn(hasher, text, source, nil).resolve(text)
		if string(resolved) != string(source) || len(missing) > 0 {
			// Two spellings of one value are the same secret, so the restored spelling may be the other one.
			if broken(resolved) || len(missing) > 0 || !sameMeaning(resolved, source) {
				t.Fatalf("%q came back as %q by way of %q", source, resolved, text)
			}
		}
	})
}

func sameMeaning(a, b []byte) bool {
	delta := jsonc.Compare(jsonc.Parse(a).Root, jsonc.Parse(b).Root)
	return len(delta.Values)+len(delta.Orders) == 0
}

func BenchmarkHideSecrets(b *testing.B) {
	var text strings.Builder
	text.WriteString(`{"toolboxes": {"dev": {"mcpServers": {`)
	for i := range 1000 {
		fmt.Fprintf(&text, `
        "server %d": {
          "command": "npx", // which is not
          "args": ["-y", "@modelcontextprotocol/server-filesystem", "/home/me/projects"],
          "env": {"API_TOKEN": "value-%d", "LOG_LEVEL": "debug", "OTHER": "${HOME}"}
        },`, i, i)
	}
	text.WriteString("}}}}")
	source := []byte(text.String())
	hasher := randomHasher()
	b.SetBytes(int64(len(source)))
	for b.Loop() {
		hideSecrets(source, hasher)
	}
}
