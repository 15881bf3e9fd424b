// Package document turns documents into text: PDF, Word (docx), OpenDocument, e-mail (eml) and HTML.
//
// Documents may be hostile, and libraries that read them may use all memory or never return. So [Text] reads a
// document in a process of its own, which is this program started with [Command], with limits on memory and time.
package document

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/background"
)

const (
	maxFile   = 256 << 20        // bytes of a document
	maxText   = 16 << 20         // bytes of its text that are returned
	maxMemory = 512 << 20        // bytes of memory for reading it
	maxTime   = 15 * time.Second // for reading it
)

// Kind is a kind of document.
type Kind string

// The kinds that can be read as text.
const (
	PDF          Kind = "pdf"
	Word         Kind = "docx"
	OpenDocument Kind = "odf" // text, tables and presentations
	Email        Kind = "eml"
	HTML         Kind = "html"
)

// page is a kind that is no file: the address of a page, a line end, and the page in UTF-8.
const page Kind = "page"

// unreadable returns what people can do about a document of a kind that cannot be read; "" for other files.
func unreadable(extension string) string {
	switch extension {
	case ".doc", ".rtf", ".pages", ".wpd":
		return "save it as docx, PDF or text"
	case ".xls", ".xlsx", ".numbers":
		return "save it as CSV"
	case ".ppt", ".pptx", ".key":
		return "save it as PDF"
	case ".msg":
		return "save it as eml"
	case ".epub", ".mobi", ".djvu":
		return "convert it to PDF or HTML"
	}
	return ""
}

// KindOf returns the kind of a document by its name and its first bytes. It returns "" for other files, which may be
// plain text, and an error for documents of a kind that cannot be read.
func KindOf(name string, begin []byte) (Kind, error) {
	extension := strings.ToLower(filepath.Ext(name))
	if bytes.HasPrefix(begin, []byte("%PDF-")) {
		return PDF, nil
	}
	if way := unreadable(extension); way != "" {
		return "", fmt.Errorf("the text of a %s file cannot be read; %s", extension, way)
	}
	if bytes.HasPrefix(begin, []byte("PK\x03\x04")) {
		switch extension {
		case ".docx", ".docm", ".dotx":
			return Word, nil
		case ".odt", ".ods", ".odp", ".ott":
			return OpenDocument, nil
		}
		return "", nil
	}
	switch extension {
	case ".eml":
		return Email, nil
	case ".html", ".htm", ".xhtml":
		return HTML, nil
	}
	return "", nil
}

// Command is the argument with which a built-in server reads a document from standard input instead of serving. The
// kind is the next argument.
const Command = "read-document"

// Program returns the command line that reads a document of a kind. Tests replace it.
type Program func(Kind) (*exec.Cmd, error)

// Itself returns a [Program] for the running program. arguments come before [Command].
func Itself(arguments ...string) Program {
	return func(kind Kind) (*exec.Cmd, error) {
		program, err := os.Executable()
		if err != nil {
			return nil, err
		}
		return exec.Command(program, append(arguments, Command, string(kind))...), nil
	}
}

// Text returns the text of an open document. The process that reads it is killed when ctx ends, or after maxTime.
func Text(ctx context.Context, by Program, kind Kind, file *os.File) (string, error) {
	info, err := file.Stat()
	if err != nil {
		return "", err
	}
	if info.Size() > maxFile {
		return "", fmt.Errorf("the document has %d MB; %d can be read", info.Size()>>20, maxFile>>20)
	}
	return read(ctx, by, kind, file)
}

// Page returns a web page, whose text is UTF-8, as Markdown with absolute links. Its process is bounded as that of
// [Text].
func Page(ctx context.Context, by Program, at *url.URL, text string) (string, error) {
	return read(ctx, by, page, io.MultiReader(strings.NewReader(at.String()+"\n"), strings.NewReader(text)))
}

func read(ctx context.Context, by Program, kind Kind, document io.Reader) (string, error) {
	reader, err := by(kind)
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, maxTime)
	defer cancel()
	command := exec.CommandContext(ctx, reader.Path, reader.Args[1:]...)
	command.Env = reader.Env
	command.Stdin = document
	text := &limited{most: maxText}
	problem := &limited{most: 2000}
	command.Stdout, command.Stderr = text, problem
	command.WaitDelay = time.Second
	err = command.Run()
	switch {
	case ctx.Err() != nil && errors.Is(context.Cause(ctx), context.DeadlineExceeded):
		return "", fmt.Errorf("the document could not be read within %v", maxTime)
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil:
		if said := strings.TrimSpace(problem.String()); said != "" {
			return "", errors.New(said)
		}
		return "", fmt.Errorf("the document could not be read: %w", err)
	}
	return strings.ToValidUTF8(text.String(), "\uFFFD"), nil
}

// limited keeps the first most bytes that are written to it, and discards the rest.
type limited struct {
	bytes.Buffer
	most int
}

func (l *limited) Write(p []byte) (int, error) {
	l.Buffer.Write(p[:min(len(p), max(0, l.most-l.Len()))])
	return len(p), nil
}

// Main runs the process of [Command]: it reads a document from standard input and writes its text to out. It returns
// the exit status.
func Main(kind Kind, in *os.File, out, problems io.Writer) (status int) {
	defer func() {
		if problem := recover(); problem != nil { // a bug in a library
			fmt.Fprintln(problems, "the document is damaged, or of a kind that cannot be read")
			status = 1
		}
	}()
	debug.SetMemoryLimit(maxMemory)
	ended := make(chan struct{})
	defer close(ended)
	background.Go(func() { watchMemory(ended, problems) })
	if err := write(kind, in, out); err != nil {
		fmt.Fprintln(problems, err)
		return 1
	}
	return 0
}

// watchMemory ends the process when it uses too much memory, until the document has been read.
func watchMemory(ended <-chan struct{}, problems io.Writer) {
	var use runtime.MemStats
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ended:
			return
		case <-tick.C:
		}
		runtime.ReadMemStats(&use)
		if use.Sys-use.HeapReleased > maxMemory {
			fmt.Fprintf(problems, "the document takes more than %d MB of memory to read\n", maxMemory>>20)
			os.Exit(1)
		}
	}
}

// write writes the text of a document.
func write(kind Kind, in *os.File, out io.Writer) error {
	info, err := in.Stat()
	if err != nil {
		return err
	}
	switch kind {
	case PDF:
		return fromPDF(in, info.Size(), out)
	case Word:
		return fromArchive(in, info.Size(), "word/document.xml", wordText, out)
	case OpenDocument:
		return fromArchive(in, info.Size(), "content.xml", openText, out)
	case Email:
		return fromEmail(in, out)
	case HTML:
		return fromHTML(in, out)
	case page:
		return fromPage(in, out)
	}
	return fmt.Errorf("%q is no kind of document", kind)
}
