package extension

import (
	"archive/zip"
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Limits of a bundle. Real extensions have up to some 10,000 files and 200 MiB.
const (
	MaxSize     = 512 << 20 // of the bundle
	MaxUnpacked = 1 << 30   // of all its files together
	MaxFiles    = 50_000

	maxDirectory = 16 << 20 // of the zip file's list of files
	maxRatio     = 100      // of unpacked to packed size, checked above fewUnpacked; programs and texts have 2 to 10
	fewUnpacked  = 64 << 20
)

// archive is a zip file whose list of files has been checked. The contents of the files are read only by
// [archive.open].
type archive struct {
	files   []*zip.File
	folders []string             // folders that are listed themselves; they may be empty
	byName  map[string]*zip.File // of the files
}

// Records of the zip format; https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT, 4.3.16.
const (
	endSignature = "PK\x05\x06"
	endLength    = 22
	maxComment   = 1<<16 - 1
	maxTrailer   = 1 << 16 // the largest signature that the format's own tool appends to the zip file
)

// openArchive opens a zip file and checks its list of files.
func openArchive(r io.ReaderAt, size int64) (*archive, error) {
	length, records, err := measure(r, size)
	if err != nil {
		return nil, err
	}
	z, err := zip.NewReader(io.NewSectionReader(r, 0, length), length)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) || len(z.File) != records {
		return nil, damaged()
	}
	a := &archive{byName: map[string]*zip.File{}}
	entries := newEntries()
	var unpacked, packed uint64
	for _, f := range z.File {
		folder, err := entries.add(f)
		if err != nil {
			return nil, err
		}
		if err := plain(f, folder); err != nil {
			return nil, err
		}
		if folder {
			a.folders = append(a.folders, strings.TrimSuffix(f.Name, "/"))
			continue
		}
		if unpacked += f.UncompressedSize64; unpacked > MaxUnpacked || f.UncompressedSize64 > MaxUnpacked {
			return nil, &Error{words.New("extension.unpacked_too_large", "MiB", MaxUnpacked>>20), notTrusted.Text()}
		}
		packed += f.CompressedSize64
		a.files = append(a.files, f)
		a.byName[f.Name] = f
	}
	if unpacked > fewUnpacked && unpacked > maxRatio*uint64(size) {
		return nil, &Error{words.New("extension.bomb", "Times", unpacked/uint64(size)), notTrusted.Text()}
	}
	if packed > uint64(size) || overlapping(a.files, length) {
		return nil, &Error{words.New("extension.shared_contents"), notTrusted.Text()}
	}
	return a, nil
}

// measure finds the end of a zip file and the number of its files. The list of files must end directly before
// the end record. This makes sure that no other program finds a different list in the same file, and that the
// list has the stated length.
func measure(r io.ReaderAt, size int64) (length int64, records int, err error) {
	tail := make([]byte, min(size, endLength+maxComment+maxTrailer))
	if _, err := r.ReadAt(tail, size-int64(len(tail))); err != nil && !errors.Is(err, io.EOF) {
		return 0, 0, &Error{words.New("extension.unreadable"), getAgain.Text()}
	}
	for at := bytes.LastIndex(tail, []byte(endSignature)); at >= 0; at = bytes.LastIndex(tail[:at],
		[]byte(endSignature)) {
		end := tail[at:]
		if len(end) < endLength {
			continue
		}
		comment := int(binary.LittleEndian.Uint16(end[20:]))
		if endLength+comment > len(end) {
			continue
		}
		disks := binary.LittleEndian.Uint32(end[4:])
		here, all := binary.LittleEndian.Uint16(end[8:]), binary.LittleEndian.Uint16(end[10:])
		list, offset := int64(binary.LittleEndian.Uint32(end[12:])), int64(binary.LittleEndian.Uint32(end[16:]))
		start := size - int64(len(tail)) + int64(at)
		switch {
		case all > MaxFiles || list > maxDirectory || offset == 1<<32-1:
			return 0, 0, &Error{words.New("extension.too_many_files", "Most", MaxFiles), notTrusted.Text()}
		case disks != 0 || here != all || list+offset != start:
			return 0, 0, damaged()
		}
		return start + int64(endLength+comment), int(all), nil
	}
	return 0, 0, &Error{words.New("extension.no_zip"), getAgain.Text()}
}

func damaged() error { return &Error{words.New("extension.damaged_list"), getAgain.Text()} }

// plain returns an error for everything but files and folders as the format's tool packs them.
func plain(f *zip.File, folder bool) error {
	mode := f.Mode()
	switch {
	case f.Flags&1 != 0:
		return &Error{words.New("extension.password", "File", shown(f.Name)), tellMaker.Text()}
	case f.Method != zip.Store && f.Method != zip.Deflate:
		return &Error{words.New("extension.packing", "File", shown(f.Name)), tellMaker.Text()}
	case folder && f.UncompressedSize64 == 0 && (mode.IsDir() || mode.IsRegular()):
		return nil
	case folder || !mode.IsRegular():
		return &Error{words.New("extension.link", "File", shown(f.Name)), tellMaker.Text()}
	}
	return nil
}

// overlapping reports whether files share their contents, which would let a small bundle unpack to a huge
// size.
func overlapping(files []*zip.File, length int64) bool {
	type span struct{ from, to int64 }
	spans := make([]span, 0, len(files))
	for _, f := range files {
		from, err := f.DataOffset()
		if err != nil || f.CompressedSize64 > uint64(length) || from+int64(f.CompressedSize64) > length {
			return true
		}
		spans = append(spans, span{from, from + int64(f.CompressedSize64)})
	}
	slices.SortStableFunc(spans, func(a, b span) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to))
	})
	for i := 1; i < len(spans); i++ {
		if spans[i].from < spans[i-1].to {
			return true
		}
	}
	return false
}

// copyTo writes the contents of a file. They must have the length and checksum in the list.
func copyTo(w io.Writer, f *zip.File) error {
	r, err := f.Open()
	if err != nil {
		return &Error{words.New("extension.file_not_unpacked", "File", shown(f.Name)), getAgain.Text()}
	}
	defer r.Close()
	limit := int64(f.UncompressedSize64)
	n, err := io.Copy(w, io.LimitReader(r, limit+1)) // the reader reports a wrong checksum at the end
	switch {
	case errors.Is(err, zip.ErrChecksum), errors.Is(err, zip.ErrFormat), errors.Is(err, io.ErrUnexpectedEOF),
		isCorrupt(err), err == nil && n != limit:
		return &Error{words.New("extension.file_damaged", "File", shown(f.Name)), getAgain.Text()}
	}
	return err
}
