package files

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"

	"github.com/workbench-mcp/workbench-desktop/engine/builtin/document"
	"github.com/workbench-mcp/workbench-desktop/engine/builtin/tool"
)

const (
	maxMedia   = 4 << 20  // bytes of a picture or sound; clients take messages of 10 MiB at most
	maxDecoded = 64 << 20 // bytes of a file in another encoding than UTF-8
	maxFiles   = 20       // files of one read_multiple_files
	maxTail    = 1 << 20  // bytes that are read for the last lines
)

type reading struct {
	Path   string `json:"path" jsonschema:"absolute path of the file, or relative to the folder that was chosen"`
	Head   int    `json:"head,omitempty" jsonschema:"return only so many lines from the beginning"`
	Tail   int    `json:"tail,omitempty" jsonschema:"return only so many lines from the end"`
	Offset int64  `json:"offset,omitempty" jsonschema:"where to go on, as the last answer said"`
}

type several struct {
	Paths []string `json:"paths" jsonschema:"absolute paths, or relative to the folder that was chosen; 20 at most"`
}

func (s *server) addReading(made *mcpserver.MCPServer) {
	tool.Add(made, tool.Definition{
		Name: "read_text_file", Title: "Read a file", Effect: tool.Reads,
		Description: "Returns the text of a file. PDF, Word (docx), OpenDocument, e-mail (eml) and HTML are returned as " +
			"text, too. " +
			"A long text comes in parts.",
	}, s.read)
	tool.Add(made, tool.Definition{
		Name: "read_multiple_files", Title: "Read several files", Effect: tool.Reads,
		Description: "Returns the beginnings of several files. A file that cannot be read does not keep the others away.",
	}, s.readSeveral)
	tool.Add(made, tool.Definition{
		Name: "read_media_file", Title: "Read a picture or sound", Effect: tool.Reads,
		Description: "Returns a picture or a sound as such.",
	}, s.media)
}

func (s *server) read(ctx context.Context, in reading) (*mcp.CallToolResult, error) {
	text, err := s.textOf(ctx, in, tool.PageSize)
	if err != nil {
		return nil, err
	}
	return tool.Text(text), nil
}

func (s *server) readSeveral(ctx context.Context, in several) (*mcp.CallToolResult, error) {
	if len(in.Paths) == 0 || len(in.Paths) > maxFiles {
		return nil, fmt.Errorf("name between 1 and %d files", maxFiles)
	}
	var parts []string
	for _, path := range in.Paths {
		text, err := s.textOf(ctx, reading{Path: path}, tool.PageSize/len(in.Paths))
		if err != nil {
			text = "Error: " + err.Error()
		}
		parts = append(parts, path+":\n"+text+"\n")
	}
	return tool.Text(strings.Join(parts, "\n---\n")), nil
}

// textOf returns a part of a file's text, size bytes at most.
func (s *server) textOf(ctx context.Context, in reading, size int) (text string, err error) {
	if in.Head > 0 && in.Tail > 0 || in.Head < 0 || in.Tail < 0 || in.Offset < 0 {
		return "", errors.New("give one of head, tail and offset, as a positive number")
	}
	p, err := s.at(in.Path)
	if err != nil {
		return "", err
	}
	err = p.within(func(root *os.Root) error {
		opened, info, err := p.regular(root)
		if err != nil {
			return err
		}
		defer opened.Close()
		begin := make([]byte, 4096)
		n, err := io.ReadFull(opened, begin)
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			return err
		}
		begin = begin[:n]
		if _, err := opened.Seek(0, io.SeekStart); err != nil {
			return err
		}
		kind, err := document.KindOf(p.name, begin)
		if err != nil {
			return err
		}
		var whole string
		switch {
		case kind != "":
			if whole, err = document.Text(ctx, s.reader, kind, opened); err != nil {
				return fmt.Errorf("%s: %w", p, err)
			}
		case encodingOf(begin) != nil:
			if whole, err = decoded(opened, encodingOf(begin)); err != nil {
				return err
			}
		case bytes.IndexByte(begin, 0) >= 0:
			return fmt.Errorf("%s is no text (%s); read_media_file returns pictures and sounds", p,
				http.DetectContentType(begin))
		default:
			text, err = part(opened, info.Size(), in, size)
			return err
		}
		text, err = part(strings.NewReader(whole), int64(len(whole)), in, size)
		return err
	})
	return text, err
}

// encodingOf returns the encoding of a text that is not UTF-8. It returns nil for UTF-8 and for data that is not text.
func encodingOf(begin []byte) encoding.Encoding {
	switch {
	case bytes.HasPrefix(begin, []byte{0xFF, 0xFE}), bytes.HasPrefix(begin, []byte{0xFE, 0xFF}):
		return unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM)
	case bytes.IndexByte(begin, 0) >= 0:
		return nil
	}
	cut := begin[:max(0, len(begin)-utf8.UTFMax)] // a character may be cut at the end
	if len(begin) < 4096 {
		cut = begin
	}
	if utf8.Valid(cut) {
		return nil
	}
	return charmap.Windows1252
}

func decoded(in io.Reader, from encoding.Encoding) (string, error) {
	bounded := &io.LimitedReader{R: in, N: maxDecoded}
	text, err := io.ReadAll(from.NewDecoder().Reader(bounded))
	if bounded.N == 0 {
		return "", fmt.Errorf("the file is not UTF-8, and larger than %d MB", maxDecoded>>20)
	}
	return string(text), err
}

// part returns the part of a text that in asks for, at most size bytes. length is the length of the whole text in
// bytes.
func part(text interface {
	io.ReaderAt
	io.Reader
}, length int64, in reading, size int) (string, error) {
	read := func(from, count int64) (string, error) {
		buffer := make([]byte, max(0, min(count, length-from)))
		n, err := text.ReadAt(buffer, from)
		if errors.Is(err, io.EOF) {
			err = nil
		}
		return string(buffer[:n]), err
	}
	if in.Tail > 0 {
		from := max(0, length-maxTail)
		end, err := read(from, maxTail)
		lines := strings.SplitAfter(strings.TrimSuffix(end, "\n"), "\n")
		last := strings.Join(lines[max(0, len(lines)-in.Tail):], "")
		if len(last) > size {
			last = fmt.Sprintf("[only the last %d bytes of these lines]\n%s", size,
				strings.ToValidUTF8(last[len(last)-size:], ""))
		}
		return last, err
	}
	if in.Offset > length {
		return "", fmt.Errorf("the offset %d is not in the text, which has %d bytes", in.Offset, length)
	}
	begin, err := read(in.Offset, int64(size)+utf8.UTFMax)
	if err != nil {
		return "", err
	}
	shown := tool.Cut(begin, size)
	end := in.Offset + int64(len(shown))
	if in.Offset == 0 {
		shown = strings.TrimPrefix(shown, "\uFEFF") // a byte order mark
	}
	if in.Head > 0 {
		lines := strings.SplitAfterN(shown, "\n", in.Head+1)
		if len(lines) > in.Head {
			return strings.TrimSuffix(strings.Join(lines[:in.Head], ""), "\n"), nil
		}
	}
	if end < length {
		return fmt.Sprintf("%s\n[%d of %d bytes; go on with offset %d]", shown, len(shown), length, end), nil
	}
	return shown, nil
}

func (s *server) media(_ context.Context, in onePath) (result *mcp.CallToolResult, err error) {
	p, err := s.at(in.Path)
	if err != nil {
		return nil, err
	}
	err = p.within(func(root *os.Root) error {
		opened, info, err := p.regular(root)
		if err != nil {
			return err
		}
		defer opened.Close()
		if info.Size() > maxMedia {
			return fmt.Errorf("%s has %d KB; %d can be read", p, info.Size()>>10, maxMedia>>10)
		}
		content, err := io.ReadAll(io.LimitReader(opened, maxMedia))
		if err != nil {
			return err
		}
		kind := http.DetectContentType(content)
		data := base64.StdEncoding.EncodeToString(content)
		switch {
		case strings.HasPrefix(kind, "image/"):
			result = mcp.NewToolResultImage("", data, kind)
		case strings.HasPrefix(kind, "audio/"):
			result = mcp.NewToolResultAudio("", data, kind)
		default:
			return fmt.Errorf("%s is neither a picture nor a sound (%s)", p, kind)
		}
		return nil
	})
	return result, err
}
