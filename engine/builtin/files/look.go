package files

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"github.com/workbench-mcp/workbench-desktop/engine/builtin/tool"
)

const (
	maxListed = 100_000 // names of a folder that are read
	perPage   = 500     // names in an answer
	maxTree   = 2_000   // names in a tree
)

// The arguments of the tools.
type listing struct {
	Path   string `json:"path" jsonschema:"absolute path of the folder, or relative to the folder that was chosen"`
	Offset int    `json:"offset,omitempty" jsonschema:"how many entries to leave out, as the last answer said"`
}

type sized struct {
	Path   string `json:"path" jsonschema:"absolute path of the folder, or relative to the folder that was chosen"`
	SortBy string `json:"sortBy,omitempty" jsonschema:"name or size"`
	Offset int    `json:"offset,omitempty" jsonschema:"how many entries to leave out, as the last answer said"`
}

type tree struct {
	Path    string   `json:"path" jsonschema:"absolute path of the folder, or relative to the folder that was chosen"`
	Exclude []string `json:"excludePatterns,omitempty" jsonschema:"patterns of names to leave out, such as node_modules or **/*.tmp"`
}

func (s *server) addLooking(made *mcpserver.MCPServer) {
	tool.Add(made, tool.Definition{
		Name: "list_allowed_directories", Title: "Allowed folders", Effect: tool.Reads,
		Description: "Returns the folders that this server can reach. Everything below them can be reached, too.",
	}, s.allowed)
	tool.Add(made, tool.Definition{
		Name: "list_directory", Title: "List a folder", Effect: tool.Reads,
		Description: "Returns the names in a folder, folders marked with [DIR] and files with [FILE].",
	}, s.list)
	tool.Add(made, tool.Definition{
		Name: "list_directory_with_sizes", Title: "List a folder with sizes", Effect: tool.Reads,
		Description: "Returns the names in a folder with the sizes of files, sorted by name or by size.",
	}, s.listSizes)
	tool.Add(made, tool.Definition{
		Name: "directory_tree", Title: "Tree of a folder", Effect: tool.Reads,
		Description: "Returns what is in a folder and in the folders below it as JSON: name, type (file or directory), " +
			"children.",
	}, s.tree)
	tool.Add(made, tool.Definition{
		Name: "get_file_info", Title: "About a file", Effect: tool.Reads,
		Description: "Returns size, time of the last change, type and permissions of a file or folder.",
	}, s.info)
}

// entries returns what is in a folder, sorted by name.
func (p item) entries() (found []fs.DirEntry, err error) {
	err = p.within(func(root *os.Root) error {
		opened, err := root.Open(p.name)
		if err != nil {
			return err
		}
		defer opened.Close()
		if found, err = opened.ReadDir(maxListed); errors.Is(err, io.EOF) {
			err = nil
		}
		return err
	})
	slices.SortFunc(found, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return found, err
}

func (s *server) list(_ context.Context, in listing) (*mcp.CallToolResult, error) {
	p, err := s.at(in.Path)
	if err != nil {
		return nil, err
	}
	found, err := p.entries()
	if err != nil {
		return nil, err
	}
	var lines []string
	for _, entry := range found {
		lines = append(lines, kind(entry)+" "+entry.Name())
	}
	return pageOf(lines, in.Offset)
}

func kind(entry fs.DirEntry) string {
	switch {
	case entry.IsDir():
		return "[DIR]"
	case entry.Type()&fs.ModeSymlink != 0:
		return "[LINK]"
	}
	return "[FILE]"
}

// pageOf returns lines from an offset on, and says how to get those that are left.
func pageOf(lines []string, offset int) (*mcp.CallToolResult, error) {
	if offset < 0 || offset > len(lines) {
		return nil, fmt.Errorf("the offset %d is not in the list, which has %d entries", offset, len(lines))
	}
	if len(lines) == 0 {
		return tool.Text("The folder is empty."), nil
	}
	rest := lines[offset:]
	shown, size := 0, 0
	for shown < min(len(rest), perPage) && size < tool.PageSize {
		size += len(rest[shown]) + 1
		shown++
	}
	text := strings.Join(rest[:shown], "\n")
	if left := len(rest) - shown; left > 0 {
		text += fmt.Sprintf("\n[%d more; go on with offset %d]", left, offset+shown)
	}
	return tool.Text(text), nil
}

func (s *server) listSizes(_ context.Context, in sized) (*mcp.CallToolResult, error) {
	p, err := s.at(in.Path)
	if err != nil {
		return nil, err
	}
	found, err := p.entries()
	if err != nil {
		return nil, err
	}
	sizes, total := map[string]int64{}, int64(0)
	for _, entry := range found {
		if info, err := entry.Info(); err == nil && info.Mode().IsRegular() {
			sizes[entry.Name()] = info.Size()
			total += info.Size()
		}
	}
	if in.SortBy == "size" {
		slices.SortStableFunc(found, func(a, b fs.DirEntry) int { return cmp.Compare(sizes[b.Name()], sizes[a.Name()]) })
	}
	var lines []string
	for _, entry := range found {
		line := kind(entry) + " " + entry.Name()
		if size, isFile := sizes[entry.Name()]; isFile {
			line += " " + inBytes(size)
		}
		lines = append(lines, line)
	}
	if len(lines) > 0 {
		lines = append(lines, "Total: "+inBytes(total))
	}
	return pageOf(lines, in.Offset)
}

func inBytes(size int64) string {
	if size < 1024 {
		return fmt.Sprintf("%d B", size)
	}
	value, unit := float64(size), 0
	for value >= 1024 && unit < 4 {
		value, unit = value/1024, unit+1
	}
	return fmt.Sprintf("%.1f %s", value, []string{"B", "KiB", "MiB", "GiB", "TiB"}[unit])
}

// branch is a file or folder in a tree.
type branch struct {
	Name     string    `json:"name"`
	Type     string    `json:"type"`
	Children *[]branch `json:"children,omitempty"`
}

func (s *server) tree(ctx context.Context, in tree) (*mcp.CallToolResult, error) {
	p, err := s.at(in.Path)
	if err != nil {
		return nil, err
	}
	left := maxTree
	grown, err := p.grow(ctx, p.name, in.Exclude, &left)
	if err != nil {
		return nil, err
	}
	text, err := json.MarshalIndent(grown, "", " ")
	if err != nil {
		return nil, err
	}
	said := string(text)
	if left <= 0 || len(said) > 2*tool.PageSize {
		said = tool.Cut(said, 2*tool.PageSize) +
			fmt.Sprintf("\n[The tree was cut. Ask for a folder below %s, or leave out names with excludePatterns.]", p)
	}
	return tool.Text(said), nil
}

// grow returns the tree below a folder, as long as left is positive. Links are not followed, so there are no cycles.
func (p item) grow(ctx context.Context, name string, exclude []string, left *int) ([]branch, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	found, err := item{p.in, name}.entries()
	if err != nil {
		return nil, err
	}
	all := []branch{}
	for _, entry := range found {
		below := filepath.Join(name, entry.Name())
		if matchesAny(exclude, p.relative(below)) {
			continue
		}
		if *left--; *left < 0 {
			break
		}
		b := branch{Name: entry.Name(), Type: "file"}
		if entry.IsDir() {
			b.Type = "directory"
			children, err := p.grow(ctx, below, exclude, left)
			if ctx.Err() != nil {
				return nil, err
			}
			if err != nil {
				children = []branch{} // a folder that may not be read
			}
			b.Children = &children
		}
		all = append(all, b)
	}
	return all, nil
}

// relative returns the path of name relative to p, with slashes.
func (p item) relative(name string) string {
	if seen, err := filepath.Rel(p.name, name); err == nil {
		name = seen
	}
	return filepath.ToSlash(name)
}

func (s *server) info(_ context.Context, in onePath) (*mcp.CallToolResult, error) {
	p, err := s.at(in.Path)
	if err != nil {
		return nil, err
	}
	var said string
	err = p.within(func(root *os.Root) error {
		info, err := root.Stat(p.name)
		if err != nil {
			return err
		}
		said = fmt.Sprintf("size: %d\nmodified: %s\nisDirectory: %t\nisFile: %t\npermissions: %03o", info.Size(),
			info.ModTime().Format(time.RFC3339), info.IsDir(), info.Mode().IsRegular(), info.Mode().Perm())
		return nil
	})
	if err != nil {
		return nil, err
	}
	return tool.Text(said), nil
}
