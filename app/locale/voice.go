// Package locale chooses the language of the window, which can change while the window is shown.
//
// Screens get their own texts from [lang.L] and [lang.N] of Fyne, and texts of the engine from kit.Say. Fyne chooses
// its language only once, when the program starts. So a [Voice] replaces Fyne's functions. Fyne's own texts, such as
// those of the menu of a text field, then come from the Voice, too. A screen keeps its old texts until it is made
// again.
package locale

import (
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync/atomic"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	system "github.com/jeandeaual/go-locale"

	"github.com/workbench-mcp/workbench-desktop/assets"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Voice returns all texts of the window, in a language that can be changed. It is safe for concurrent use.
type Voice struct {
	now   atomic.Pointer[spoken]
	fynes func(key, fallback string, data ...any) string // Fyne's own function, for texts that are in none of our files
}

// spoken holds the texts of one language.
type spoken struct {
	window words.Localize // texts of the window, whose keys are the English sentences
	engine words.Printer  // texts of the engine, whose keys are codes
}

// Install makes a new Voice the source of all texts of the window, in the languages of the system. Call it before any
// other goroutine uses texts.
func Install() *Voice {
	v := &Voice{fynes: lang.LocalizeKey}
	v.Speak("")
	lang.L = func(text string, data ...any) string { return v.say(text, text, nil, data) }
	lang.N = func(text string, count int, data ...any) string { return v.say(text, text, &count, data) }
	lang.X = func(key, text string, data ...any) string { return v.say(key, text, nil, data) }
	lang.XN = func(key, text string, count int, data ...any) string { return v.say(key, text, &count, data) }
	return v
}

// Speak changes the language. It takes a tag such as "de", or "" for the languages of the system. A language without
// texts falls back to English.
func (v *Voice) Speak(tag string) {
	tags := []string{tag}
	if tag == "" {
		tags = ofSystem()
	}
	v.now.Store(&spoken{words.Sentences(assets.Translations, nil, tags...), words.In(tags...)})
}

// Alter switches to a made-up language: English, with every sentence changed by alter before its arguments are filled
// in. Tests use this language to find texts that are not translated.
func (v *Voice) Alter(alter func(template string) string) {
	v.now.Store(&spoken{words.Sentences(assets.Translations, alter), words.Altered(alter)})
}

// say returns the text of the window with a key, or else the text of the engine with this code, or else Fyne's text.
// The argument Count gets thousands separators. count, if it is not nil, chooses between singular and plural.
func (v *Voice) say(key, text string, count *int, data []any) string {
	var args map[string]any
	if len(data) > 0 {
		args, _ = data[0].(map[string]any)
	}
	now := v.now.Load()
	if n, ok := args["Count"].(int); ok && n >= 1000 {
		args = maps.Clone(args)
		args["Count"] = now.engine.Text(words.Number(n))
	}
	if said, ok := now.window(words.Code(key), count, args); ok {
		return said
	}
	if said, ok := now.engine.Localize(words.Code(key), count, args); ok {
		return said
	}
	if text == "" {
		return ""
	}
	return v.fynes(key, text, data...)
}

// ofSystem returns the languages that the user has chosen in the system, best first.
func ofSystem() []string {
	tags, err := system.GetLocales()
	if err != nil {
		fyne.LogError("The languages of the system are not known", err)
	}
	return tags
}

// Language is a language of the window.
type Language struct {
	Tag  string // such as "de"
	Name string // in the language itself, such as "Deutsch", and in English if it has another script
}

// Languages returns the languages with texts, sorted by name.
func Languages() []Language {
	files, _ := fs.Glob(assets.Translations, "translations/*.json") // the pattern is valid
	var languages []Language
	for _, file := range files {
		tag := strings.TrimSuffix(path.Base(file), ".json")
		name := words.In(tag).Text(words.Language.Text())
		if english := inEnglish(tag); english != "" {
			name += " (" + english + ")"
		}
		languages = append(languages, Language{tag, name})
	}
	slices.SortFunc(languages, func(a, b Language) int { return strings.Compare(a.Name, b.Name) })
	return languages
}

// inEnglish returns the English name of a language that is written in another script, which a computer without a font
// for it cannot show; "" for other languages.
func inEnglish(tag string) string {
	switch tag {
	case "ja":
		return "Japanese"
	case "zh-Hans":
		return "Simplified Chinese"
	}
	return ""
}
