package config

import (
	"net/url"
	"slices"
	"strings"
	"testing"
)

// Each command belongs to one product, and each product has a page that a browser can open.
func TestProducts(t *testing.T) {
	var ids, commands []string
	for _, product := range Products() {
		page, err := url.Parse(product.Page)
		if err != nil || page.Scheme != "https" || page.Host == "" {
			t.Errorf("%s: the page is %q: %v", product.ID, product.Page, err)
		}
		if product.ID == "" || product.Name == "" || len(product.Commands) == 0 {
			t.Errorf("incomplete: %+v", product)
		}
		if found := FindProduct(product.ID); found.Name != product.Name {
			t.Errorf("%s leads to %+v", product.ID, found)
		}
		ids, commands = append(ids, product.ID), append(commands, product.Commands...)
	}
	for _, names := range [][]string{ids, commands} {
		if slices.Sort(names); len(slices.Compact(slices.Clone(names))) != len(names) {
			t.Errorf("twice: %s", strings.Join(names, " "))
		}
	}
}

func TestProductOf(t *testing.T) {
	for command, want := range map[string]string{
		"npx": "node", "NPX.cmd": "node", "uv.exe": "uv", "python3": "python", "py": "python", "pip": "python",
		"pipx": "pipx", "dnx": "dotnet",
		"my-server": "", "": "", "/usr/bin/python3": "", `C:\Python\python.exe`: "", "./npx": "", "pythonw": "",
	} {
		if got := ProductOf(command).ID; got != want {
			t.Errorf("%s comes with %q, want %q", command, got, want)
		}
	}
}

// The hint for a missing program names the page of its product. For example, pipx does not come with Python.
func TestWhereToGet(t *testing.T) {
	lookup := Lookup{Env: func(string) (string, bool) { return t.TempDir(), true }}
	for command, want := range map[string]string{
		"python3": "python3 comes with Python: install it from https://www.python.org/downloads/; if it is " +
			"installed, write its full path",
		"docker": "install Docker from https://docs.docker.com/get-started/get-docker/; if it is installed, write " +
			"its full path",
		"my-server":   "install it, or write its full path",
		"/no/python3": "correct the path, or install the program",
	} {
		document := Parse("config", []byte(`{"toolboxes": {"dev": {"mcpServers": {"a": {"command": "`+command+`"}}}}}`))
		found := document.CheckEnvironment(lookup)
		if len(found) != 1 || found[0].Hint.String() != want {
			t.Errorf("%s: %+v", command, found)
		}
	}
}
