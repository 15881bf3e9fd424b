package files

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"github.com/workbench-mcp/workbench-desktop/engine/builtin/document"
	"github.com/workbench-mcp/workbench-desktop/engine/builtin/tool"
)

const (
	maxWalked   = 200_000 // files and folders of one search
	maxFound    = 500     // results of one search
	maxSearched = 8 << 20 // bytes of a file whose text is searched
	searchTime  = 20 * time.Second
)

type names struct {
	Path    string   `json:"path" jsonschema:"the folder to search"`
	Pattern string   `json:"pattern" jsonschema:"part of a name, or a pattern such as *.pdf or **/contract-*.docx"`
	Exclude []string `json:"excludePatterns,omitempty" jsonschema:"patterns of names to leave out, such as node_modules or **/*.tmp"`
}

type texts struct {
	Path    string `json:"path" jsonschema:"the folder to search"`
	Query   string `json:"query" jsonschema:"the text to find, in any case"`
	Pattern string `json:"pattern,omitempty" jsonschema:"only files with such a name, for example *.pdf"`
}

func (s *server) addSearching(made *mcpserver.MCPServer) {
	tool.Add(made, tool.Definition{
		Name: "search_files", Title: "Find files", Effect: tool.Reads,
		Description: "Finds files and folders by their names, in a folder and all folders below it.",
	}, s.find)
	tool.Add(made, tool.Definition{
		Name: "search_text", Title: "Search in files", Effect: tool.Reads,
		Description: "Finds a text in the files of a folder and of all folders below it, also in PDF, Word (docx), " +
			"OpenDocument, e-mail " +
			"(eml) and HTML. Returns the lines with their numbers.",
	}, s.grep)
}

// errEnough ends a walk early.
var errEnough = errors.New("enough")

// walk calls do for everything below a folder, with its path relative to the folder. Links are not followed. It
// returns why it ended early, or "".
func (p item) walk(ctx context.Context, root *os.Root,
	do func(name string, entry fs.DirEntry) error) (early string, err error) {
	if info, err := root.Stat(p.name); err != nil {
		return "", err
	} else if !info.IsDir() {
		return "", fmt.Errorf("%s is no folder", p)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, searchTime, errEnough)
	defer cancel()
	seen := 0
	err = fs.WalkDir(root.FS(), filepath.ToSlash(p.name), func(name string, entry fs.DirEntry, err error) error {
		if cause := context.Cause(ctx); cause != nil {
			early = fmt.Sprintf("The search ended after %v.", searchTime)
			return cause
		}
		if err != nil {
			if entry != nil && entry.IsDir() {
				return fs.SkipDir // a folder that may not be read
			}
			return nil
		}
		if seen++; seen > maxWalked {
			early = fmt.Sprintf("The search ended after %d files and folders.", maxWalked)
			return errEnough
		}
		if seen == 1 {
			return nil // the folder itself
		}
		err = do(p.relative(filepath.FromSlash(name)), entry)
		if errors.Is(err, errEnough) {
			early = "There may be more."
		}
		return err
	})
	if errors.Is(err, errEnough) {
		err = nil
	}
	return early, err
}

func (s *server) find(ctx context.Context, in names) (*mcp.CallToolResult, error) {
	p, err := s.at(in.Path)
	if err != nil {
		return nil, err
	}
	if in.Pattern == "" {
		return nil, errors.New("the pattern is empty; list_directory shows all names")
	}
	for _, pattern := range append([]string{in.Pattern}, in.Exclude...) {
		if !doublestar.ValidatePattern(pattern) {
			return nil, fmt.Errorf("%q is no pattern such as *.pdf", pattern)
		}
	}
	var found []string
	var early string
	err = p.within(func(root *os.Root) (err error) {
		early, err = p.walk(ctx, root, func(name string, entry fs.DirEntry) error {
			if matchesAny(in.Exclude, name) {
				if entry.IsDir() {
					return fs.SkipDir
				}
				return nil
			}
			if matches(in.Pattern, name) {
				found = append(found, filepath.Join(p.String(), filepath.FromSlash(name)))
			}
			if len(found) >= maxFound {
				return errEnough
			}
			return nil
		})
		return err
	})
	if err != nil {
		return nil, err
	}
	return results(found, early)
}

func results(found []string, early string) (*mcp.CallToolResult, error) {
	text := "No matches found"
	if len(found) > 0 {
		text = tool.Cut(strings.Join(found, "\n"), tool.PageSize)
		if left := len(found) - strings.Count(strings.TrimSuffix(text, "\n"), "\n") - 1; left > 0 {
			early = fmt.Sprintf("%d more are left out. %s", left, early)
		}
	}
	if early != "" {
		text += "\n[" + strings.TrimSpace(early) + " Search a smaller folder, or with a closer pattern.]"
	}
	return tool.Text(text), nil
}

// matches reports whether a path, relative to the searched folder, matches a pattern. Case is ignored. A pattern
// without a slash is compared with the last part of the path; without wildcards, it may be any part of that.
func matches(pattern, name string) bool {
	pattern, name = strings.ToLower(pattern), strings.ToLower(name)
	if !strings.Contains(pattern, "/") {
		name = name[strings.LastIndexByte(name, '/')+1:]
	}
	if !strings.ContainsAny(pattern, "*?[{") {
		return strings.Contains(name, pattern)
	}
	return doublestar.MatchUnvalidated(pattern, name)
}

// matchesAny reports whether a path, or its last part, matches one of the patterns.
func matchesAny(patterns []string, name string) bool {
	last := name[strings.LastIndexByte(name, '/')+1:]
	for _, pattern := range patterns {
		if doublestar.MatchUnvalidated(pattern, name) || doublestar.MatchUnvalidated(pattern, last) {
			return true
		}
	}
	return false
}

func (s *server) grep(ctx context.Context, in texts) (*mcp.CallToolResult, error) {
	p, err := s.at(in.Path)
	if err != nil {
		return nil, err
	}
	if strings.TrimSpace(in.Query) == "" {
		return nil, errors.New("the query is empty")
	}
	if in.Pattern != "" && !doublestar.ValidatePattern(in.Pattern) {
		return nil, fmt.Errorf("%q is no pattern such as *.pdf", in.Pattern)
	}
	query := strings.ToLower(in.Query)
	var found []string
	var early string
	unread := 0
	err = p.within(func(root *os.Root) (err error) {
		early, err = p.walk(ctx, root, func(name string, entry fs.DirEntry) error {
			if !entry.Type().IsRegular() || in.Pattern != "" && !matches(in.Pattern, name) {
				return nil
			}
			at := item{p.in, filepath.Join(p.name, filepath.FromSlash(name))}
			text, err := s.searchable(ctx, root, at)
			if err != nil {
				unread++
				return nil
			}
			for number, line := range strings.Split(text, "\n") {
				if !strings.Contains(strings.ToLower(line), query) {
					continue
				}
				found = append(found, fmt.Sprintf("%s:%d: %s", at, number+1, tool.Cut(strings.TrimSpace(line), 300)))
				if len(found) >= maxFound {
					return errEnough
				}
			}
			return nil
		})
		return err
	})
	if err != nil {
		return nil, err
	}
	if unread > 0 {
		early = strings.TrimSpace(fmt.Sprintf("%s %d files are too large or cannot be read as text.", early, unread))
	}
	return results(found, early)
}

// searchable returns the text of a file; "" for a file that is not text.
func (s *server) searchable(ctx context.Context, root *os.Root, at item) (string, error) {
	opened, info, err := at.regular(root)
	if err != nil {
		return "", err
	}
	defer opened.Close()
	begin := make([]byte, 512)
	n, _ := io.ReadFull(opened, begin)
	begin = begin[:n]
	if _, err := opened.Seek(0, io.SeekStart); err != nil {
		return "", err
	}
	kind, err := document.KindOf(at.name, begin)
	if kind != "" {
		return document.Text(ctx, s.reader, kind, opened)
	}
	if err != nil || info.Size() > maxSearched {
		return "", errors.Join(err, errEnough)
	}
	if from := encodingOf(begin); from != nil {
		return decoded(opened, from)
	}
	if strings.ContainsRune(string(begin), 0) {
		return "", nil
	}
	text, err := io.ReadAll(io.LimitReader(opened, maxSearched))
	return string(text), err
}
