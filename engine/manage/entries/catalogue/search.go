package catalogue

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Search returns the servers that have all words of a query, in any order: in the title, the description, the
// publisher, or among the words that people use for what the server is about. say returns a text in the language of
// the person; the English words count as well. The best come first: a title that begins with the query, then titles
// that have its words, then servers that are mainly about it, then the others in the order of the catalogue. An empty
// query finds all.
func Search(query string, say func(words.Text) string) []Entry {
	asked := strings.Fields(fold(query))
	if len(asked) == 0 {
		return All()
	}
	const titled, about, other = 1_000, 2_000, 3_000 // ranks; a title has fewer characters than that
	type found struct {
		Entry
		rank int
	}
	both := func(text words.Text) string { return fold(say(text) + " " + text.String()) }
	var all []found
	for _, e := range list() {
		title, text := both(e.Title)+" "+e.ID, both(e.Description)+" "+fold(e.Publisher)
		rank := other
		for i, topic := range slices.Backward(e.Topics) {
			of := both(words.Code("catalogue.topic." + topic).Text())
			if text += " " + of; hasAll(of, asked) {
				rank = about + i
			}
		}
		switch {
		case strings.HasPrefix(fold(say(e.Title)), fold(query)):
			rank = utf8.RuneCountInString(say(e.Title)) // the shortest title is the nearest
		case hasAll(title, asked):
			rank = titled
		case !hasAll(title+" "+text, asked):
			continue
		}
		all = append(all, found{e, rank})
	}
	slices.SortStableFunc(all, func(a, b found) int { return cmp.Compare(a.rank, b.rank) })
	entries := make([]Entry, len(all))
	for i, f := range all {
		entries[i] = f.Entry
	}
	return entries
}

// hasAll reports whether a text has all words. The last letter of a long word may be another one, such as that of a
// plural.
func hasAll(text string, asked []string) bool {
	return !slices.ContainsFunc(asked, func(word string) bool {
		_, last := utf8.DecodeLastRuneInString(word)
		return !strings.Contains(text, word) && (len(word) < 6 || !strings.Contains(text, word[:len(word)-last]))
	})
}

// fold returns a text in small letters without accents.
func fold(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFD.String(text))
}
