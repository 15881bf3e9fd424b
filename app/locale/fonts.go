package locale

import (
	"os"
	"runtime"

	"github.com/go-text/typesetting/fontscan"
	"golang.org/x/text/language"
)

// Fonts is the package with fonts for all languages, as most systems call it.
const Fonts = "fonts-noto-cjk"

// CanShow reports whether this computer has a font for the language with a tag, such as "ja"; "" stands for the
// language of the system. Windows and macOS have fonts for all languages of the window. Looking for fonts may take a
// second, as it does when the window first draws such a language.
func CanShow(tag string) bool {
	if tag == "" {
		if tags := ofSystem(); len(tags) > 0 {
			tag = tags[0]
		}
	}
	sample := sampleOf(tag)
	if sample == 0 || runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		return true
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return true // nobody knows
	}
	fonts := fontscan.NewFontMap(quiet{})
	if fonts.UseSystemFonts(cache) != nil {
		return true
	}
	face := fonts.ResolveFace(sample)
	if face == nil {
		return false
	}
	_, has := face.NominalGlyph(sample)
	return has
}

// sampleOf returns a letter of a language whose letters few fonts have; 0 for another language.
func sampleOf(tag string) rune {
	parsed, err := language.Parse(tag)
	if err != nil {
		return 0
	}
	switch base, _ := parsed.Base(); base.String() {
	case "ja":
		return 'あ'
	case "zh":
		return '语'
	}
	return 0
}

// quiet drops what the search for fonts says about fonts that it cannot read.
type quiet struct{}

// Printf implements the logger of the search.
func (quiet) Printf(string, ...any) {}
