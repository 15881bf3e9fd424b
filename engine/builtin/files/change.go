package files

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"github.com/workbench-mcp/workbench-desktop/engine/builtin/tool"
	"github.com/workbench-mcp/workbench-desktop/engine/unified"
)

const maxEdited = 8 << 20 // bytes of a file that can be edited

type writing struct {
	Path    string `json:"path" jsonschema:"absolute path of the file, or relative to the folder that was chosen"`
	Content string `json:"content" jsonschema:"the whole new text of the file"`
}

type edit struct {
	Old string `json:"oldText" jsonschema:"text that is in the file once, exactly as it is there"`
	New string `json:"newText" jsonschema:"text to put in its place"`
}

type editing struct {
	Path   string `json:"path" jsonschema:"absolute path of the file, or relative to the folder that was chosen"`
	Edits  []edit `json:"edits" jsonschema:"changes, made one after the other"`
	DryRun bool   `json:"dryRun,omitempty" jsonschema:"only show what would change"`
}

type moving struct {
	Source      string `json:"source" jsonschema:"what to move or rename"`
	Destination string `json:"destination" jsonschema:"its new path, which must not exist"`
}

func (s *server) addChanging(made *mcpserver.MCPServer) {
	tool.Add(made, tool.Definition{
		Name: "write_file", Title: "Write a file", Effect: tool.Replaces,
		Description: "Writes a text file. What the file contained is replaced.",
	}, s.write)
	tool.Add(made, tool.Definition{
		Name: "edit_file", Title: "Edit a file", Effect: tool.Replaces,
		Description: "Replaces parts of a text file, and returns the difference. If one part is not found, nothing is " +
			"changed.",
	}, s.edit)
	tool.Add(made, tool.Definition{
		Name: "create_directory", Title: "Make a folder", Effect: tool.Adds,
		Description: "Makes a folder, and the folders above it that are missing.",
	}, s.makeFolder)
	tool.Add(made, tool.Definition{
		Name: "move_file", Title: "Move or rename", Effect: tool.Replaces,
		Description: "Moves or renames a file or folder. Nothing is overwritten.",
	}, s.move)
	tool.Add(made, tool.Definition{
		Name: "delete_file", Title: "Delete a file", Effect: tool.Replaces,
		Description: "Deletes a file or an empty folder. It cannot be brought back.",
	}, s.remove)
}

func (s *server) write(_ context.Context, in writing) (*mcp.CallToolResult, error) {
	p, err := s.at(in.Path)
	if err != nil {
		return nil, err
	}
	if err := p.within(func(root *os.Root) error { return p.replace(root, in.Content) }); err != nil {
		return nil, err
	}
	return tool.Text(fmt.Sprintf("Successfully wrote to %s", p)), nil
}

// replace writes a file as a whole, so that nobody reads half of it, and keeps its permissions. A link is followed
// within the folder.
func (p item) replace(root *os.Root, content string) error {
	mode := fs.FileMode(0o666)
	info, err := root.Stat(p.name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	case info.IsDir():
		return fmt.Errorf("%s is a folder", p)
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is no file that can be written", p)
	default:
		mode = info.Mode().Perm()
	}
	if linked, err := root.Lstat(p.name); err == nil && linked.Mode()&fs.ModeSymlink != 0 {
		return root.WriteFile(p.name, []byte(content), mode) // renaming would put a file in place of the link
	}
	temporary := filepath.Join(filepath.Dir(p.name), "."+rand.Text()[:12]+".tmp")
	err = root.WriteFile(temporary, []byte(content), mode)
	if err == nil && info != nil {
		err = root.Chmod(temporary, mode)
	}
	if err == nil {
		err = root.Rename(temporary, p.name)
	}
	if err != nil {
		_ = root.Remove(temporary)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("the folder of %s does not exist; create_directory makes it", p)
	}
	return err
}

func (s *server) edit(_ context.Context, in editing) (*mcp.CallToolResult, error) {
	p, err := s.at(in.Path)
	if err != nil {
		return nil, err
	}
	var diff string
	err = p.within(func(root *os.Root) error {
		opened, info, err := p.regular(root)
		if err != nil {
			return err
		}
		defer opened.Close()
		if info.Size() > maxEdited {
			return fmt.Errorf("%s has %d KB; %d can be edited", p, info.Size()>>10, maxEdited>>10)
		}
		content, err := io.ReadAll(io.LimitReader(opened, maxEdited))
		if err != nil {
			return err
		}
		before := string(content)
		after, err := edited(before, in.Edits)
		if err != nil {
			return fmt.Errorf("%s: %w", p, err)
		}
		diff = unified.Diff(p.name, p.name, before, after)
		if in.DryRun {
			return nil
		}
		return p.replace(root, after)
	})
	if err != nil {
		return nil, err
	}
	if diff == "" {
		diff = "Nothing is different."
	}
	return tool.Text(tool.Cut(diff, tool.PageSize)), nil
}

// edited makes changes to a text, or none. In a file with CRLF, line ends of the changes are CRLF, too.
func edited(text string, edits []edit) (string, error) {
	crlf := strings.Contains(text, "\r\n")
	for i, e := range edits {
		if crlf {
			e.Old, e.New = withCRLF(e.Old), withCRLF(e.New)
		}
		switch count := strings.Count(text, e.Old); {
		case e.Old == "":
			return "", fmt.Errorf("oldText of edit %d is empty", i+1)
		case count == 0:
			return "", fmt.Errorf("oldText of edit %d is not in the file; read it again and copy the text exactly", i+1)
		case count > 1:
			return "", fmt.Errorf("oldText of edit %d is in the file %d times; add lines around it", i+1, count)
		}
		text = strings.Replace(text, e.Old, e.New, 1)
	}
	return text, nil
}

func withCRLF(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\n", "\r\n")
}

func (s *server) makeFolder(_ context.Context, in onePath) (*mcp.CallToolResult, error) {
	p, err := s.at(in.Path)
	if err != nil {
		return nil, err
	}
	if err := p.within(func(root *os.Root) error { return root.MkdirAll(p.name, 0o777) }); err != nil {
		return nil, err
	}
	return tool.Text(fmt.Sprintf("Successfully created directory %s", p)), nil
}

func (s *server) move(_ context.Context, in moving) (*mcp.CallToolResult, error) {
	from, err := s.at(in.Source)
	if err != nil {
		return nil, err
	}
	to, err := s.at(in.Destination)
	if err != nil {
		return nil, err
	}
	if from.name == "." || to.name == "." {
		return nil, errors.New("a folder that was chosen cannot be moved")
	}
	if from.in != to.in {
		return nil, fmt.Errorf("%s and %s are in two folders that were chosen apart; things are moved within one", from, to)
	}
	err = from.within(func(root *os.Root) error {
		source, err := root.Lstat(from.name)
		if err != nil {
			return err
		}
		// another case of its own name is fine
		if there, err := root.Lstat(to.name); err == nil && !os.SameFile(source, there) {
			return fmt.Errorf("%s exists already", to)
		}
		return root.Rename(from.name, to.name)
	})
	if err != nil {
		return nil, err
	}
	return tool.Text(fmt.Sprintf("Successfully moved %s to %s", from, to)), nil
}

func (s *server) remove(_ context.Context, in onePath) (*mcp.CallToolResult, error) {
	p, err := s.at(in.Path)
	if err != nil {
		return nil, err
	}
	if p.name == "." {
		return nil, errors.New("a folder that was chosen cannot be deleted")
	}
	err = p.within(func(root *os.Root) error {
		if info, err := root.Lstat(p.name); err == nil && info.IsDir() {
			if inside, err := p.entries(); err == nil && len(inside) > 0 {
				return fmt.Errorf("%s is a folder with %d entries; only an empty folder is deleted", p, len(inside))
			}
		}
		return root.Remove(p.name)
	})
	if err != nil {
		return nil, err
	}
	return tool.Text(fmt.Sprintf("Successfully deleted %s", p)), nil
}
