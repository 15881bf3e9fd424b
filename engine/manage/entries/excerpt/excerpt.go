// Package excerpt reads from another program's file what matters, however large the file is.
//
// Some apps keep everything in one JSON file: that of Claude Code, which has its servers, grew to 250 MB with the
// history of conversations. [Read] never holds such a file in memory. It returns the text with the long values left
// out; in the place of each is a short one, a hole. What people then change in this text is changed in the file by
// copying the rest of it, see [File.Replace].
package excerpt

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"slices"

	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
)

// MaxText is the largest text that [Read] returns, in bytes. It is the one limit for files of other programs, whatever
// their format: parsers need many times that memory. Of a larger JSON file only the long values are left out; a larger
// file of another format is refused.
const MaxText = 4 << 20

// File is the content of a file, as far as it matters. It does not change when the file does.
type File struct {
	// Text is the text of the file. In a file that is larger than [MaxText], holes replace long values.
	Text []byte

	info  os.FileInfo
	sum   string
	holes []hole
}

// hole is a value that was left out: a part of Text, and the part of the file that it stands for.
type hole struct {
	start, end int
	from, to   int64
}

// SyntaxError says where the JSON of a large file is wrong. Line and Column begin at 1; Column counts bytes.
type SyntaxError struct{ Line, Column int }

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("line %d, column %d: invalid JSON", e.Line, e.Column)
}

// ErrHole means that a change reaches into a value that was left out.
var ErrHole = errors.New("the change reaches into a value that was left out")

// Read reads a file. keep are the paths in a JSON file whose values are never left out, such as "mcpServers"; "*"
// stands for any name. For files in other formats it is nil. The error is one of those of [atomicfile.Read], or a
// [*SyntaxError].
func Read(path string, keep [][]string) (*File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.Size() <= MaxText || keep == nil || !info.Mode().IsRegular() {
		text, err := atomicfile.Read(path, MaxText)
		if err != nil {
			return nil, err
		}
		return &File{Text: text, info: info, sum: Sum(text)}, nil
	}
	file, err := atomicfile.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if info, err = file.Stat(); err != nil { // of the file that is read
		return nil, err
	}
	sum := sha256.New()
	s := newScanner(io.TeeReader(file, sum))
	if err := s.document(keep); err != nil {
		return nil, err
	}
	return &File{Text: s.out, info: info, sum: hexOf(sum), holes: s.holes}, nil
}

// Sum returns the SHA-256 of a text in hexadecimal.
func Sum(source []byte) string {
	sum := sha256.Sum256(source)
	return hex.EncodeToString(sum[:])
}

// SumOf returns the SHA-256 of the file at path in hexadecimal.
func SumOf(path string) (string, error) {
	if info, err := os.Stat(path); err != nil {
		return "", err
	} else if !info.Mode().IsRegular() { // opening a pipe may block for ever
		return "", atomicfile.ErrNotAFile
	}
	file, err := atomicfile.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	sum := sha256.New()
	_, err = io.Copy(sum, file)
	return hexOf(sum), err
}

func hexOf(sum hash.Hash) string { return hex.EncodeToString(sum.Sum(nil)) }

// Sum returns the SHA-256 of the whole file in hexadecimal.
func (f *File) Sum() string { return f.sum }

// Whole reports whether Text is the whole file.
func (f *File) Whole() bool { return len(f.holes) == 0 }

// SumWith returns what [File.Sum] would be if the file had another text. It reads the file at path again.
func (f *File) SumWith(path string, other []byte) (string, error) {
	if f.Whole() {
		return Sum(other), nil
	}
	sum := sha256.New()
	err := f.write(sum, path, other)
	return hexOf(sum), err
}

// Replace changes the file at path as [atomicfile.Replace] does, so that it has another text; holes keep their values.
// The error is [atomicfile.ErrChanged] if it is not the file that was read, and [ErrHole] if a value that was left out
// would have to change.
func (f *File) Replace(path string, other []byte) error {
	if f.Whole() {
		return atomicfile.Replace(path, other, f.Text)
	}
	return atomicfile.Rewrite(path, f.info, func(w io.Writer) error { return f.write(w, path, other) })
}

// write copies the file at path with another text.
func (f *File) write(w io.Writer, path string, other []byte) error {
	change, err := f.change(other)
	if err != nil {
		return err
	}
	file, err := atomicfile.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	sum := sha256.New()
	from := io.TeeReader(file, sum)
	if _, err = io.CopyN(w, from, change.from); err == nil {
		_, err = io.WriteString(w, change.text)
	}
	if err == nil {
		_, err = io.CopyN(io.Discard, from, change.to-change.from)
	}
	if err == nil {
		_, err = io.Copy(w, from)
	}
	if err == nil && hexOf(sum) != f.sum || errors.Is(err, io.EOF) {
		return atomicfile.ErrChanged
	}
	return err
}

// change is a change to the file: text replaces the bytes from one offset to another.
type change struct {
	from, to int64
	text     string
}

// change returns the change to the file that gives it another text.
func (f *File) change(other []byte) (change, error) {
	changes := jsonc.Difference(string(f.Text), string(other))
	if len(changes) == 0 {
		return change{}, nil
	}
	c := f.outside(changes[0])
	from, ok := f.offset(c.Start)
	to, alsoOK := f.offset(c.End)
	if !ok || !alsoOK || to-from != int64(c.End-c.Start) {
		return change{}, ErrHole
	}
	return change{from, to, c.New}, nil
}

// outside moves a change to the left while it begins in a hole, if it has the same effect there. The shortest change
// begins in one if what is inserted in front of a hole begins like it.
func (f *File) outside(c jsonc.Change) jsonc.Change {
	old := string(f.Text[c.Start:c.End])
	for c.Start > 0 {
		if _, ok := f.offset(c.Start); ok {
			break
		}
		last := f.Text[c.Start-1]
		switch {
		case old == "" && c.New[len(c.New)-1] == last:
			c.New = string(last) + c.New[:len(c.New)-1]
		case c.New == "" && old[len(old)-1] == last:
			old = string(last) + old[:len(old)-1]
		default:
			return c
		}
		c.Start, c.End = c.Start-1, c.End-1
	}
	return c
}

// offset returns the place in the file of an offset in Text. ok is false within a hole.
func (f *File) offset(at int) (in int64, ok bool) {
	i, _ := slices.BinarySearchFunc(f.holes, at, func(h hole, at int) int { return cmp.Compare(h.end, at) })
	if i < len(f.holes) && f.holes[i].start < at && at < f.holes[i].end {
		return 0, false
	}
	if i < len(f.holes) && f.holes[i].end == at {
		i++
	}
	in = int64(at)
	if i > 0 {
		last := f.holes[i-1]
		in = last.to + int64(at-last.end)
	}
	return in, true
}
