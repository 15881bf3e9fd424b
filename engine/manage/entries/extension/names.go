package extension

import (
	"archive/zip"
	"compress/flate"
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/workbench-mcp/workbench-desktop/engine/visible"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

const (
	maxPath  = 1000 // bytes; the limit of systems is 1,024 or more
	maxName  = 255
	maxDepth = 64
)

// entries are the paths in a bundle, compared as on systems that ignore case.
type entries struct {
	files   map[string]string // as written
	folders map[string]bool
}

func newEntries() *entries {
	return &entries{files: map[string]string{}, folders: map[string]bool{}}
}

// folded returns a name in a form that is the same for names that some system treats as equal: composed and
// decomposed letters, capitals and small letters, and ligatures. It is Unicode's full case folding. Package
// cases of golang.org/x/text has that too, but brings the tables of all languages.
func folded(name string) string {
	var b strings.Builder
	for _, r := range norm.NFD.String(name) {
		if letters := several(r); letters != "" {
			b.WriteString(letters)
			continue
		}
		least := r
		for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
			least = min(least, next)
		}
		b.WriteRune(least)
	}
	return b.String()
}

// several returns the letters into which folding turns one letter, where NFD does not already split it; "" if
// it stays one letter.
func several(r rune) string {
	switch r {
	case 'ß', 'ẞ':
		return "SS"
	case 'ŉ':
		return "ʼN"
	case 'ẚ':
		return "Aʾ"
	case 'ﬀ':
		return "FF"
	case 'ﬁ':
		return "FI"
	case 'ﬂ':
		return "FL"
	case 'ﬃ':
		return "FFI"
	case 'ﬄ':
		return "FFL"
	case 'ﬅ', 'ﬆ':
		return "ST"
	case 'և':
		return "ԵՒ"
	case 'ﬓ':
		return "ՄՆ"
	case 'ﬔ':
		return "ՄԵ"
	case 'ﬕ':
		return "ՄԻ"
	case 'ﬖ':
		return "ՎՆ"
	case 'ﬗ':
		return "ՄԽ"
	}
	return ""
}

// add checks the next path. It is an error if the path is not below the bundle's folder on every system, or
// if it occurs twice.
func (e *entries) add(f *zip.File) (folder bool, err error) {
	name, folder := strings.CutSuffix(f.Name, "/")
	if why := wrongPath(name); !why.IsZero() {
		return false, &Error{words.New("extension.file_name", "File", shown(f.Name), "Why", why), notTrusted.Text()}
	}
	folded := folded(name)
	for i, r := range folded {
		if r != '/' {
			continue
		}
		if file, ok := e.files[folded[:i]]; ok {
			return false, &Error{words.New("extension.file_and_folder", "File", shown(file)), notTrusted.Text()}
		}
		e.folders[folded[:i]] = true
	}
	if folder {
		if file, ok := e.files[folded]; ok {
			return false, &Error{words.New("extension.file_and_folder", "File", shown(file)), notTrusted.Text()}
		}
		e.folders[folded] = true
		return true, nil
	}
	if first, ok := e.files[folded]; ok {
		if first == name {
			return false, &Error{words.New("extension.twice", "File", shown(name)), notTrusted.Text()}
		}
		return false, &Error{words.New("extension.same_file", "File", shown(first), "Other", shown(name)), tellMaker.Text()}
	}
	if e.folders[folded] {
		return false, &Error{words.New("extension.file_and_folder", "File", shown(name)), notTrusted.Text()}
	}
	e.files[folded] = name
	return false, nil
}

// wrongPath returns why a path is not below the bundle's folder, or cannot exist on every system; the zero
// text if it is fine.
func wrongPath(name string) words.Text {
	switch {
	case name == "":
		return words.New("extension.path_empty")
	case !utf8.ValidString(name):
		return words.New("extension.path_no_text")
	case strings.HasPrefix(name, "/") || len(name) > 1 && name[1] == ':':
		return words.New("extension.path_outside")
	case len(name) > maxPath || strings.Count(name, "/") >= maxDepth:
		return words.New("extension.path_too_long")
	}
	for part := range strings.SplitSeq(name, "/") {
		switch {
		case part == "..":
			return words.New("extension.path_outside")
		case part == "" || part == ".":
			return words.New("extension.path_part_missing")
		case len(part) > maxName:
			return words.New("extension.path_too_long")
		case strings.ContainsAny(part, `\:*?"<>|`) || strings.IndexFunc(part, unicode.IsControl) >= 0:
			return words.New("extension.path_impossible")
		case strings.HasSuffix(part, ".") || strings.HasSuffix(part, " "):
			return words.New("extension.path_windows_other")
		case device(part):
			return words.New("extension.path_windows_device")
		}
	}
	return words.Text{}
}

// device reports whether Windows takes a name for a device. The file name extension does not matter.
func device(name string) bool {
	name, _, _ = strings.Cut(strings.ToUpper(name), ".")
	switch name = strings.TrimRight(name, " "); name {
	case "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$", "CLOCK$":
		return true
	}
	digit, ok := strings.CutPrefix(name, "COM")
	if !ok {
		digit, ok = strings.CutPrefix(name, "LPT")
	}
	return ok && utf8.RuneCountInString(digit) == 1 && strings.ContainsAny(digit, "0123456789¹²³")
}

// shown returns a name for a message: shortened and on one line.
func shown(name string) string { return visible.Short(name, 80) }

// folderName turns any text into the name of a folder.
func folderName(text string) string {
	name := strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r == '.', r == '_', r == '-':
			return r
		}
		return '-'
	}, text)
	name = strings.Trim(name[:min(len(name), 60)], "-.")
	if name == "" || device(name) {
		name = "extension-" + name
	}
	return strings.TrimSuffix(name, "-")
}

func isCorrupt(err error) bool {
	var corrupt flate.CorruptInputError
	return errors.As(err, &corrupt)
}
