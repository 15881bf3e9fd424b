package config

import (
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/process"
)

// Product is software that brings programs which start servers.
type Product struct {
	ID       string   // such as "node"; for Node.js and uv also their ID in package runtimes
	Name     string   // such as "Node.js"
	Commands []string // its programs; the first is the one that starts most servers
	Page     string   // the web page from which people install it
}

// Products returns the products that most servers need.
func Products() []Product {
	return []Product{
		{"node", "Node.js", []string{"npx", "node", "npm"}, "https://nodejs.org/en/download"},
		{"uv", "uv", []string{"uvx", "uv"}, "https://docs.astral.sh/uv/getting-started/installation/"},
		{"docker", "Docker", []string{"docker"}, "https://docs.docker.com/get-started/get-docker/"},
		{"podman", "Podman", []string{"podman"}, "https://podman.io/docs/installation"},
		{"bun", "Bun", []string{"bunx", "bun"}, "https://bun.sh/get"},
		{"deno", "Deno", []string{"deno"}, "https://docs.deno.com/runtime/getting_started/installation/"},
		{"python", "Python", []string{"python", "python3", "py", "pip", "pip3"}, "https://www.python.org/downloads/"},
		{"pipx", "pipx", []string{"pipx"}, "https://pipx.pypa.io"},
		{"dotnet", ".NET", []string{"dotnet", "dnx"}, "https://dotnet.microsoft.com/download"},
		{"java", "Java", []string{"java"}, "https://adoptium.net"},
	}
}

// FindProduct returns a product by its ID, or the zero Product if there is none.
func FindProduct(id string) Product {
	return firstProduct(func(p Product) bool { return p.ID == id })
}

// ProductOf returns the product that a command comes with, or the zero Product if that is unknown. It is
// unknown for a path, since installing the product would not put the program there.
func ProductOf(command string) Product {
	if strings.ContainsAny(command, `/\`) {
		return Product{}
	}
	name := process.Name(command)
	return firstProduct(func(p Product) bool { return slices.Contains(p.Commands, name) })
}

func firstProduct(is func(Product) bool) Product {
	products := Products()
	if i := slices.IndexFunc(products, is); i >= 0 {
		return products[i]
	}
	return Product{}
}
