package edit_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
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

// TestOpsRefused gives operations that are not complete.
func TestOpsRefused(t *testing.T) {
	target := edit.Target{Toolbox: "dev", Server: "files"}
	for _, op := range []edit.Op{
		edit.AddToolbox{}, edit.AddServer{Toolbox: "dev", Name: "x"}, edit.AddServer{Toolbox: "dev", Name: "x", Entry: []byte("{} {}")},
		edit.AddServer{Toolbox: "dev", Name: "x", Entry: []byte("{/* c */}")}, edit.AddServer{Toolbox: "dev", Name: "x", Entry: []byte("\ufeff{}")},
		edit.AddServer{Toolbox: "dev", Name: "x", Entry: []byte(strings.Repeat(`{"a":`, 150) + "1" + strings.Repeat("}", 150))},
		edit.RenameServer{Toolbox: "dev", Name: "files"}, edit.RenameToolbox{Name: "dev", To: "\xff"},
		edit.SetField{Target: target}, edit.SetField{Target: target, Field: []string{"x"}}, edit.SetField{Target: target, Field: make([]string, 300), Value: edit.Value(1)},
		edit.SetField{Target: target, Field: []string{"\xff"}, Value: edit.Value(1)}, edit.SetField{Target: edit.Target{Server: "files"}, Field: []string{"x"}, Value: edit.Value(1)},
		edit.SetField{Target: target, Field: []string{"x"}, Value: []byte(`"\ud800"`)},
		edit.ClearField{}, edit.RenameField{}, edit.ReplaceServer{Toolbox: "dev", Name: "files"}, edit.MoveToolbox{Name: "dev", At: edit.Position{Before: "prod", After: "prod"}},
	} {
		if result, err := edit.Apply([]byte(base), op); !errors.Is(err, edit.ErrInvalid) {
			t.Errorf("%s %+v: %v %s", kind(op), op, err, result.Source)
		}
		if op.String() == "" {
			t.Errorf("%s says nothing", kind(op))
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
	undone, _ := jsonc.Apply(result.Source, jsonc.Invert(source, result.Changes))
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
