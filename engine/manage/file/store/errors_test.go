package store

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

func TestSaveError(t *testing.T) {
	for _, test := range []struct {
		err  error
		want string
	}{
		{atomicfile.ErrIsFolder, "there is a folder in its place; move the folder away"},
		{atomicfile.ErrNotAFile, "a device, a pipe or a socket in its place; correct the path"},
		{atomicfile.ErrLinks, "too many symbolic links lead from one to the next; correct the links"},
		{errRemoved, "it was removed meanwhile; try again to write it anew"},
		{errBusy, "another program keeps the file locked; close the program"},
		{atomicfile.ErrChanged, "another program changes it all the time; try again"},
		{atomicfile.ErrReadOnly, "it is read-only; give your user account the right"},
		{&fs.PathError{Op: "open", Path: "x", Err: fs.ErrPermission}, "no permission to read and write it"},
		{fmt.Errorf("x: %w", atomicfile.ErrTooLarge), "it is larger than a configuration can be; check"},
		{errors.New("the disk is on fire"), "the disk is on fire; try again when the cause is removed"},
	} {
		err := &SaveError{Path: "/etc/x.json", Err: test.err}
		if !strings.Contains(err.Error(), "/etc/x.json was not saved: "+test.want) &&
			!strings.Contains(err.Error(), test.want) {
			t.Errorf("%v\nwant %s", err, test.want)
		}
		if !errors.Is(err, test.err) {
			t.Errorf("%v doesn't wrap its reason", err)
		}
	}
}

func TestConflictTextIsShort(t *testing.T) {
	conflict := &Conflict{Theirs: &config.Document{Name: "x.json"},
		Clash: []Clash{{Path: "a", Reason: "one"}, {Reason: "two"}, {Path: "c", Reason: "three"},
			{Path: "d", Reason: "four"}, {Path: "e", Reason: "five"}}}
	check(t, "text", conflict.Error(),
		"x.json was changed by another program meanwhile, and the edit does not fit it any more (a: one; two; c: three; "+
			"and 2 more); look at the file as it is now and make the edit again")
}

func TestInvalidErrorNamesWhatIsNew(t *testing.T) {
	s := placed(t, `{"toolboxes": {"dev": {"mcpServers": {"x": {"command": 7}}}}}`).open()
	_, err := s.Edit(t.Context(), "x",
		patch(`[{"op": "add", "path": "/toolboxes/dev/mcpServers/y", "value": {"command": 8}}]`))
	var invalid *InvalidError
	if !errors.As(err, &invalid) || len(invalid.Errors) != 1 ||
		invalid.Errors[0].Path != "toolboxes.dev.mcpServers.y.command" {
		t.Error(err)
	}
}

func TestNoSecretsInErrors(t *testing.T) {
	const secretText = `{"toolboxes": {"dev": {"mcpServers": {"x": {"command": "x", "env": {"TOKEN": "hunter2"}}}}}}`
	p := placed(t, secretText)
	s := p.open()
	p.write(secretText + "// TOKEN: hunter2")
	_, err := s.Edit(t.Context(), "x", OpFunc(func([]byte) ([]byte, error) {
		return []byte(strings.Replace(secretText, `"command": "x"`, `"command": "y"`, 1)), nil
	}))
	var conflict *Conflict
	if !errors.As(err, &conflict) || strings.Contains(err.Error(), "hunter2") {
		t.Error(err)
	}
	s = p.open()
	_, err = s.Edit(t.Context(), "x", OpFunc(func([]byte) ([]byte, error) {
		return []byte(`{"TOKEN": "hunter2" "x"`), nil
	}))
	if err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Error(err)
	}
	check(t, "shown beside diffs", strings.Contains(string(s.HideSecrets([]byte(secretText))), "hunter2"), false)
}

func FuzzVersionFile(f *testing.F) {
	f.Add([]byte("{\"format\":1,\"text\":2,\"sum\":\"x\"}\n{}"))
	f.Add([]byte("\n"))
	f.Add(bytes.Repeat([]byte("{"), 100))
	f.Fuzz(func(t *testing.T, data []byte) {
		name := t.TempDir() + "/1.version"
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
		file := versionFile{1, name, int64(len(data))}
		version, _, err := file.load()
		head, headErr := file.header()
		if err == nil && headErr == nil && (version.ID != "1" || head.ID != "1") {
			t.Fatal(version, head)
		}
	})
}
