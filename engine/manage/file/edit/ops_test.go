package edit_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
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

// TestOpsRefused checks that incomplete operations are refused.
func TestOpsRefused(t *testing.T) {
	target := edit.Target{Toolbox: "dev", Server: "files"}
	for _, op := range []edit.Op{
		edit.AddToolbox{}, edit.AddServer{Toolbox: "dev", Name: "x"},
		edit.AddServer{Toolbox: "dev", Name: "x", Entry: []byte("{} {}")},
		edit.AddServer{Toolbox: "dev", Name: "x", Entry: []byte("{/* c */}")},
		edit.AddServer{Toolbox: "dev", Name: "x", Entry: []byte("\ufeff{}")},
		edit.AddServer{Toolbox: "dev", Name: "x",
			Entry: []byte(strings.Repeat(`{"a":`, 150) + "1" + strings.Repeat("}", 150))},
		edit.RenameServer{Toolbox: "dev", Name: "files"}, edit.RenameToolbox{Name: "dev", To: "\xff"},
		edit.SetField{Target: target}, edit.SetField{Target: target, Field: []string{"x"}},
		edit.SetField{Target: target, Field: make([]string, 300), Value: jsonc.Value(1)},
		edit.SetField{Target: target, Field: []string{"\xff"}, Value: jsonc.Value(1)},
		edit.SetField{Target: edit.Target{Server: "files"}, Field: []string{"x"}, Value: jsonc.Value(1)},
		edit.SetField{Target: target, Field: []string{"x"}, Value: []byte(`"\ud800"`)},
		edit.ClearField{}, edit.RenameField{}, edit.ReplaceServer{Toolbox: "dev", Name: "files"},
		edit.MoveToolbox{Name: "dev", At: edit.Position{Before: "prod", After: "prod"}},
	} {
		if result, err := edit.Apply([]byte(base), op); !errors.Is(err, edit.ErrInvalid) {
			t.Errorf("%s %+v: %v %s", kind(op), op, err, result)
		}
		if op.String() == "" {
			t.Errorf("%s has no text", kind(op))
		}
	}
}

func TestCopyName(t *testing.T) {
	for name, taken := range map[string][]string{
		"x-2":               {"x"},
		"x-4":               {"x", "x-2", "x-3"},
		"x-3 x-2":           {"x", "x-2"}, // a copy of a copy
		"x-2-2 x-2":         {"x-2"},      // the name itself ends in a number; it is no copy
		"llama-3-2 llama-3": {"llama-3"},
	} {
		want, of, _ := strings.Cut(name, " ")
		if of == "" {
			of = "x"
		}
		if got := edit.CopyName(of, taken); got != want {
			t.Errorf("of %s among %q: %s, want %s", of, taken, got, want)
		}
	}
}

// TestDescriptionFollows checks that a description made from the servers follows them, and that other
// descriptions stay.
func TestDescriptionFollows(t *testing.T) {
	const file = `{"toolboxes": {"a": {"description": %q, "mcpServers": {"x": {"command": "x"}, "y": {"command": "y"}}}, "b": {"description": "Servers: ", "mcpServers": {}}}}`
	field := func(server, name string, value any) edit.Op {
		return edit.SetField{Target: edit.Target{Toolbox: "a", Server: server}, Field: []string{name},
			Value: jsonc.Value(value)}
	}
	for _, c := range []struct {
		before string
		op     edit.Op
		want   string
	}{
		{"Servers: x, y", edit.AddServer{Toolbox: "a", Name: "z", Entry: []byte(`{"command": "z"}`)}, "Servers: x, y, z"},
		{"Servers: x, y", edit.RenameServer{Toolbox: "a", Name: "x", To: "z"}, "Servers: z, y"},
		{"Servers: x, y", edit.MoveServer{Toolbox: "a", Name: "x", ToToolbox: "b"}, "Servers: y"},
		{"Servers: x, y", edit.MoveServer{Toolbox: "a", Name: "x", At: edit.Position{After: "y"}}, "Servers: y, x"},
		{"Servers: x, y", field("y", "disabled", true), "Servers: x"},
		{"Servers: x, y", field("", "description", "mine"), "mine"},
		{"Servers: x", edit.RenameServer{Toolbox: "a", Name: "x", To: "z"}, "Servers: x"},
		{"Servers: x, y and more", edit.RemoveServer{Toolbox: "a", Name: "x"}, "Servers: x, y and more"},
	} {
		result, err := edit.Apply(fmt.Appendf(nil, file, c.before), c.op)
		if err != nil {
			t.Fatal(err)
		}
		boxes := config.Parse("f", result).Config.Toolboxes
		if got := boxes[0].Description; got != c.want || boxes[1].Description != "Servers: " {
			t.Errorf("%q, then %s: %q, want %q", c.before, c.op, got, c.want)
		}
	}
	removed, err := edit.Apply(fmt.Appendf(nil, file, "Servers: x, y"), edit.RemoveServer{Toolbox: "a", Name: "x"},
		edit.RemoveServer{Toolbox: "a", Name: "y"})
	if err != nil || strings.Contains(string(removed), "Servers: x") {
		t.Errorf("%s, %v", removed, err)
	}
}

// TestAllOrNothing checks that the first operation is not done if the second is refused.
func TestAllOrNothing(t *testing.T) {
	result, err := edit.Apply([]byte(base), edit.RemoveToolbox{Name: "prod"}, edit.RemoveToolbox{Name: "prod"})
	if !errors.Is(err, edit.ErrNotFound) || result != nil {
		t.Error(err, string(result))
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
	fmt.Printf("%s", result)
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
}
