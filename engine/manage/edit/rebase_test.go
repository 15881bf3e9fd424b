package edit_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/manage/edit"
)

const base = `{
  "toolboxes": {
    "dev": {
      "mcpServers": {
        "files": {"command": "npx"},
        "git": {"command": "uvx"}
      }
    },
    "prod": {}
  }
}
`

// TestRebase makes an edit on what two other edits have made of the file.
func TestRebase(t *testing.T) {
	set := func(server, field, value string) edit.Op {
		return edit.SetField{Target: edit.Target{Toolbox: "dev", Server: server}, Field: []string{field}, Value: edit.Value(value)}
	}
	for _, test := range []struct {
		name         string
		theirs, mine edit.Op
		want         []string // in the outcome; none for a conflict
	}{
		{"another server", set("git", "command", "theirs"), set("files", "command", "mine"), []string{"theirs", "mine"}},
		{"the same change", set("files", "command", "same"), set("files", "command", "same"), []string{"same"}},
		{"removed by both", edit.RemoveServer{Toolbox: "dev", Name: "files"}, edit.RemoveServer{Toolbox: "dev", Name: "files"}, []string{"git"}},
		{"another field", set("files", "cwd", "theirs"), set("files", "command", "mine"), []string{"theirs", "mine"}},
		{"the same field", set("files", "command", "theirs"), set("files", "command", "mine"), nil},
		{"the same new field", set("files", "cwd", "theirs"), set("files", "cwd", "mine"), nil},
		{"the server is gone", edit.RemoveServer{Toolbox: "dev", Name: "files"}, set("files", "command", "mine"), nil},
		{"the server is called otherwise", edit.RenameServer{Toolbox: "dev", Name: "files", To: "x"}, set("files", "command", "mine"), nil},
		{"moved and changed", set("files", "command", "theirs"), edit.MoveServer{Toolbox: "dev", Name: "files", ToToolbox: "prod"}, []string{"theirs"}},
		{"removed and changed", set("files", "command", "theirs"), edit.RemoveServer{Toolbox: "dev", Name: "files"}, nil},
		{"removed with a changed neighbour", set("git", "command", "theirs"), edit.RemoveServer{Toolbox: "dev", Name: "files"}, []string{"theirs"}},
		{"toolbox removed and changed", set("git", "command", "theirs"), edit.RemoveToolbox{Name: "dev"}, nil},
		{"the name is taken", edit.AddToolbox{Name: "new", Description: "theirs"}, edit.AddToolbox{Name: "new"}, nil},
		{"both add", edit.AddToolbox{Name: "theirs"}, edit.AddToolbox{Name: "mine"}, []string{"theirs", "mine"}},
		{"replaced and changed", set("git", "command", "theirs"), edit.ReplaceServer{Toolbox: "dev", Name: "git", Text: "{}"}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			theirs, err := edit.Apply([]byte(base), test.theirs)
			if err != nil {
				t.Fatal(err)
			}
			result, err := edit.Rebase([]byte(base), theirs.Source, test.mine)
			if test.want == nil {
				if !errors.Is(err, edit.ErrConflict) {
					t.Errorf("no conflict: %v\n%s", err, result.Source)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			for _, want := range test.want {
				if !strings.Contains(string(result.Source), want) {
					t.Errorf("%q is lost:\n%s", want, result.Source)
				}
			}
			undone, err := edit.ApplyChanges(result.Source, result.Inverse())
			if err != nil || string(undone) != string(theirs.Source) {
				t.Errorf("undo does not give back theirs: %v", err)
			}
		})
	}
}

// TestRebaseWhiteSpace: that somebody has only formatted the file is no conflict.
func TestRebaseWhiteSpace(t *testing.T) {
	theirs := strings.ReplaceAll(base, "  ", "\t")
	result, err := edit.Rebase([]byte(base), []byte(theirs), edit.RemoveServer{Toolbox: "dev", Name: "git"})
	if err != nil || strings.Contains(string(result.Source), "git") {
		t.Error(err)
	}
}

// TestOpsRefused gives operations that are not complete.
func TestOpsRefused(t *testing.T) {
	for _, text := range []string{
		`{}`, `[{}]`, `[{"op": 1}]`, `[{"op": "fly"}]`, `[{"op": "add-toolbox", "nmae": "x"}]`, `[{"op": "remove-server", "name": 1}]`, `[null]`,
	} {
		var ops edit.Ops
		if err := json.Unmarshal([]byte(text), &ops); err == nil {
			t.Errorf("%s gives %v", text, ops)
		}
	}
	target := edit.Target{Toolbox: "dev", Server: "files"}
	for _, op := range []edit.Op{
		edit.AddToolbox{}, edit.AddServer{Toolbox: "dev", Name: "x"}, edit.AddServer{Toolbox: "dev", Name: "x", Entry: []byte("{} {}")},
		edit.AddServer{Toolbox: "dev", Name: "x", Entry: []byte("{/* c */}")}, edit.AddServer{Toolbox: "dev", Name: "x", Entry: []byte("\ufeff{}")},
		edit.AddServer{Toolbox: "dev", Name: "x", Entry: []byte(strings.Repeat(`{"a":`, 150) + "1" + strings.Repeat("}", 150))},
		edit.RenameServer{Toolbox: "dev", Name: "files"}, edit.RenameToolbox{Name: "dev", To: "\xff"},
		edit.SetField{Target: target}, edit.SetField{Target: target, Field: []string{"x"}}, edit.SetField{Target: target, Field: make([]string, 300), Value: edit.Value(1)},
		edit.SetField{Target: target, Field: []string{"\xff"}, Value: edit.Value(1)}, edit.SetField{Target: edit.Target{Server: "files"}, Field: []string{"x"}, Value: edit.Value(1)},
		edit.SetField{Target: target, Field: []string{"x"}, Value: []byte(`"\ud800"`)},
		edit.ClearField{}, edit.RenameField{}, edit.ReplaceServer{Toolbox: "dev", Name: "files"}, edit.MoveToolbox{Name: "dev", At: edit.At(-1)},
	} {
		for _, apply := range []func() (edit.Result, error){
			func() (edit.Result, error) { return edit.Apply([]byte(base), op) },
			func() (edit.Result, error) { return edit.Rebase([]byte(base), []byte(base), op) },
		} {
			if result, err := apply(); !errors.Is(err, edit.ErrInvalid) {
				t.Errorf("%s %+v: %v %s", op.Kind(), op, err, result.Source)
			}
		}
		if op.String() == "" {
			t.Errorf("%s says nothing", op.Kind())
		}
	}
}

func TestCopyName(t *testing.T) {
	if got := edit.CopyName("x", []string{"x", "x-copy", "x-copy-2"}); got != "x-copy-3" {
		t.Error(got)
	}
}

// TestAllOrNothing: when the second operation is refused, the first is not done either.
func TestAllOrNothing(t *testing.T) {
	result, err := edit.Apply([]byte(base), edit.RemoveToolbox{Name: "prod"}, edit.RemoveToolbox{Name: "prod"})
	if !errors.Is(err, edit.ErrNotFound) || result.Source != nil {
		t.Error(err, string(result.Source))
	}
}

func ExampleApply() {
	source := []byte("{\n  \"toolboxes\": {\n    // mine\n    \"dev\": {\"mcpServers\": {}}\n  }\n}\n")
	result, err := edit.Apply(source,
		edit.AddServer{Toolbox: "dev", Name: "git", Entry: []byte(`{"command":"uvx","args":["mcp-server-git"]}`)})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s", result.Source)
	undone, _ := edit.ApplyChanges(result.Source, result.Inverse())
	fmt.Println(string(undone) == string(source))
	// Output:
	// {
	//   "toolboxes": {
	//     // mine
	//     "dev": {"mcpServers": {
	//       "git": {
	//         "command": "uvx",
	//         "args": ["mcp-server-git"]
	//       }
	//     }}
	//   }
	// }
	// true
}
