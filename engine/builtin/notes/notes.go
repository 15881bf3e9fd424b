// Package notes is the built-in server "notes": a memory for models that people can read. Each note is a Markdown file
// in one folder.
package notes

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/workbench-mcp/workbench-desktop/engine/builtin/tool"
)

const (
	extension = ".md"
	maxTitle  = 120     // bytes; file systems allow 255, and encrypted ones less
	maxNote   = 1 << 20 // bytes of a note
	maxNotes  = 5_000   // how many notes are looked at
	maxFound  = 50      // how many notes a search returns
)

type notes struct{ folder string }

type nothing struct{}

type titled struct {
	Title string `json:"title" jsonschema:"the title of the note"`
}

type page struct {
	Title  string `json:"title" jsonschema:"the title of the note"`
	Offset int    `json:"offset,omitempty" jsonschema:"where to go on, as the last answer said"`
}

type written struct {
	Title string `json:"title" jsonschema:"the title of the note, which is also the name of its file"`
	Text  string `json:"text" jsonschema:"the text, in Markdown"`
}

type query struct {
	Query string `json:"query" jsonschema:"words that the note or its title contains, in any order and case"`
}

// New returns the server for a folder, which is made when the first note is written.
func New(version, folder string) *server.MCPServer {
	s := tool.New("notes", "Notes", version,
		"Notes that last from one conversation to the next. Search them before you ask the person "+
			"again. Write down what they want to keep.")
	n := notes{folder}
	tool.Add(s, tool.Definition{
		Name: "search_notes", Title: "Search notes", Effect: tool.Reads,
		Description: "Finds notes by words in their title or text, and returns the lines with these words.",
	}, n.search)
	tool.Add(s, tool.Definition{
		Name: "list_notes", Title: "List notes", Effect: tool.Reads,
		Description: "Returns the titles of all notes, the one that changed last first.",
	}, n.list)
	tool.Add(s, tool.Definition{
		Name: "read_note", Title: "Read a note", Effect: tool.Reads,
		Description: "Returns the text of a note.",
	}, n.read)
	tool.Add(s, tool.Definition{
		Name: "add_to_note", Title: "Add to a note", Effect: tool.Adds,
		Description: "Adds text to the end of a note. A note that does not exist is made.",
	}, n.add)
	tool.Add(s, tool.Definition{
		Name: "write_note", Title: "Write a note", Effect: tool.Replaces,
		Description: "Writes a note. The text replaces that of a note with the same title.",
	}, n.write)
	tool.Add(s, tool.Definition{
		Name: "delete_note", Title: "Delete a note", Effect: tool.Replaces,
		Description: "Deletes a note.",
	}, n.remove)
	return s
}

// file returns the name of a note's file. A title is a name on every system, so that notes can be moved between them.
func file(title string) (string, error) {
	title = strings.TrimSpace(title)
	switch {
	case title == "" || strings.Trim(title, ".") == "":
		return "", errors.New("a note needs a title")
	case len(title) > maxTitle:
		return "", fmt.Errorf("the title has %d bytes; %d are allowed", len(title), maxTitle)
	case strings.HasPrefix(title, "."):
		return "", errors.New("a title cannot begin with a full stop")
	case strings.ContainsAny(title, `/\:*?"<>|`) || strings.ContainsFunc(title, unicode.IsControl):
		return "", errors.New(`a title cannot contain line breaks, nor / \ : * ? " < > |`)
	}
	name := title + extension
	if !filepath.IsLocal(name) { // Windows has reserved names
		return "", fmt.Errorf("%q cannot be the name of a file", title)
	}
	return name, nil
}

// root opens the folder. If it does not exist, the error is [fs.ErrNotExist].
func (n notes) root() (*os.Root, error) { return os.OpenRoot(n.folder) }

// text returns what a note says.
func text(root *os.Root, name string) (string, error) {
	info, err := root.Stat(name)
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() || info.Size() > maxNote {
		return "", fmt.Errorf("%s is no file, or larger than %d bytes", name, maxNote)
	}
	opened, err := root.Open(name)
	if err != nil {
		return "", err
	}
	defer opened.Close()
	content, err := io.ReadAll(io.LimitReader(opened, maxNote))
	return string(content), err
}

// titles returns the titles of all notes, the one that changed last first, and whether there are more.
func titles(root *os.Root) (found []string, more bool, err error) {
	folder, err := root.Open(".")
	if err != nil {
		return nil, false, err
	}
	defer folder.Close()
	entries, err := folder.ReadDir(maxNotes + 1)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, false, err
	}
	changed := map[string]int64{}
	for _, entry := range entries {
		title, isNote := strings.CutSuffix(entry.Name(), extension)
		info, err := entry.Info()
		if isNote && err == nil && !strings.HasPrefix(title, ".") && info.Mode().IsRegular() {
			found = append(found, title)
			changed[title] = info.ModTime().UnixNano()
		}
	}
	slices.SortFunc(found, func(a, b string) int {
		if changed[a] != changed[b] {
			return int(max(-1, min(1, changed[b]-changed[a])))
		}
		return strings.Compare(a, b)
	})
	return found, len(entries) > maxNotes, nil
}

const none = "There are no notes yet."

func (n notes) list(context.Context, nothing) (*mcp.CallToolResult, error) {
	root, err := n.root()
	if errors.Is(err, fs.ErrNotExist) {
		return tool.Text(none), nil
	}
	if err != nil {
		return nil, err
	}
	defer root.Close()
	all, more, err := titles(root)
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return tool.Text(none), nil
	}
	said := tool.Cut(strings.Join(all, "\n"), tool.PageSize)
	if left := len(all) - strings.Count(said, "\n") - 1; more || left > 0 {
		said += "\n[There are more notes. Search for them.]"
	}
	return tool.Text(said), nil
}

func (n notes) search(ctx context.Context, in query) (*mcp.CallToolResult, error) {
	wanted := strings.Fields(strings.ToLower(in.Query))
	if len(wanted) == 0 {
		return nil, errors.New("the query has no word")
	}
	root, err := n.root()
	if errors.Is(err, fs.ErrNotExist) {
		return tool.Text(none), nil
	}
	if err != nil {
		return nil, err
	}
	defer root.Close()
	all, _, err := titles(root)
	if err != nil {
		return nil, err
	}
	var said strings.Builder
	found := 0
	for _, title := range all {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		content, err := text(root, title+extension)
		if err != nil {
			continue // it is no note, or was removed meanwhile
		}
		lines, fits := matching(title, content, wanted)
		if !fits {
			continue
		}
		if found++; found > maxFound || said.Len() > tool.PageSize {
			said.WriteString("[More notes fit. Search for more words.]\n")
			break
		}
		fmt.Fprintf(&said, "## %s\n%s\n", title, strings.Join(lines, "\n"))
	}
	if found == 0 {
		return tool.Text("No note has all of these words."), nil
	}
	return tool.Text(said.String()), nil
}

// matching reports whether a note has all words, and returns the first lines that have one of them.
func matching(title, content string, words []string) (lines []string, fits bool) {
	whole := strings.ToLower(title + "\n" + content)
	for _, word := range words {
		if !strings.Contains(whole, word) {
			return nil, false
		}
	}
	for line := range strings.Lines(content) {
		folded := strings.ToLower(line)
		if slices.ContainsFunc(words, func(word string) bool { return strings.Contains(folded, word) }) {
			lines = append(lines, tool.Cut(strings.TrimRight(line, "\r\n"), 300))
		}
		if len(lines) == 5 {
			break
		}
	}
	return lines, true
}

func (n notes) read(_ context.Context, in page) (*mcp.CallToolResult, error) {
	name, err := file(in.Title)
	if err != nil {
		return nil, err
	}
	root, err := n.root()
	if err != nil {
		return nil, missing(in.Title, err)
	}
	defer root.Close()
	content, err := text(root, name)
	if err != nil {
		return nil, missing(in.Title, err)
	}
	part, err := tool.Page(content, in.Offset, 0)
	if err != nil {
		return nil, err
	}
	return tool.Text(part), nil
}

func (n notes) add(_ context.Context, in written) (*mcp.CallToolResult, error) {
	return n.save(in, func(root *os.Root, name string) (string, error) {
		old, err := text(root, name)
		if errors.Is(err, fs.ErrNotExist) {
			return in.Text, nil
		}
		if old != "" && !strings.HasSuffix(old, "\n") {
			old += "\n"
		}
		return old + in.Text, err
	})
}

func (n notes) write(_ context.Context, in written) (*mcp.CallToolResult, error) {
	return n.save(in, func(*os.Root, string) (string, error) { return in.Text, nil })
}

// save writes a note as a whole, so that nobody reads half of it.
func (n notes) save(in written,
	content func(root *os.Root, name string) (string, error)) (*mcp.CallToolResult, error) {
	name, err := file(in.Title)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(n.folder, 0o700); err != nil {
		return nil, err
	}
	root, err := n.root()
	if err != nil {
		return nil, err
	}
	defer root.Close()
	whole, err := content(root, name)
	if err != nil {
		return nil, err
	}
	if len(whole) > maxNote {
		return nil, fmt.Errorf("the note would have %d bytes; %d are allowed. Begin another note", len(whole), maxNote)
	}
	temporary := "." + name + ".tmp"
	if err := root.WriteFile(temporary, []byte(whole), 0o600); err != nil {
		return nil, err
	}
	if err := root.Rename(temporary, name); err != nil {
		_ = root.Remove(temporary)
		return nil, err
	}
	return tool.Text(fmt.Sprintf("Written to %s", filepath.Join(n.folder, name))), nil
}

func (n notes) remove(_ context.Context, in titled) (*mcp.CallToolResult, error) {
	name, err := file(in.Title)
	if err != nil {
		return nil, err
	}
	root, err := n.root()
	if err != nil {
		return nil, missing(in.Title, err)
	}
	defer root.Close()
	if err := root.Remove(name); err != nil {
		return nil, missing(in.Title, err)
	}
	return tool.Text("Deleted."), nil
}

// missing says that a note does not exist, if that is why it could not be read.
func missing(title string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no note %q; list_notes and search_notes show which there are", title)
	}
	return err
}
