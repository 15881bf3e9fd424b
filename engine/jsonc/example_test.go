package jsonc_test

import (
	"fmt"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
)

func ExampleParse() {
	text := []byte("{\n  \"a\": 1 // one\n  \"b\": [2, 3\n}")
	d := jsonc.Parse(text)
	for _, err := range d.Errors {
		fmt.Printf("%d at %d to %d, after %d\n", err.Code, err.Start, err.End, err.After)
	}
	fmt.Println(d.Root.Member("b").Raw(), d.Root.At(jsonc.Keys("b").Element(0)).Raw())
	// Output:
	// 13 at 20 to 23, after 10
	// 14 at 31 to 32, after 30
	// [2, 3 2
}

func ExampleEditor() {
	text := []byte(`{
	// the web server
	"web": {"port": 80},

	// the others
	"mail": {"port": 25}
}
`)
	e, err := jsonc.NewEditor(text, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, err := range []error{
		e.Set(jsonc.Keys("mail", "port"), jsonc.Parse([]byte("2525")).Root),
		e.Insert(jsonc.Keys("db"), jsonc.Parse([]byte(`{"port": 5432}`)).Root, jsonc.Position{Index: 1, After: true}),
		e.Move(jsonc.Keys("web"), jsonc.Keys("www"), jsonc.Position{Index: 2}),
	} {
		if err != nil {
			fmt.Println(err)
		}
	}
	fmt.Print(e.Text())
	undone, err := jsonc.Apply([]byte(e.Text()), jsonc.Invert(text, e.Changes()))
	fmt.Println(string(undone) == string(text), err)
	// Output:
	// {
	// 	"db": { "port": 5432 },
	//
	// 	// the others
	// 	"mail": {"port": 2525},
	//
	// 	// the web server
	// 	"www": {"port": 80}
	// }
	// true <nil>
}
