package find

import (
	"slices"
	"strconv"
	"strings"
)

// maxQuestion is how many bytes of a question count, and maxWords how many of its words.
const (
	maxQuestion = 1_000
	maxWords    = 40
)

// meaning is one part of a question: a word or a phrase, as stems, and others with a similar meaning.
type meaning struct {
	words  []string
	others []other
}

// other is a word or a phrase with a similar meaning, and its weight from 0 to 1.
type other struct {
	words  []string
	weight float32
}

// meanings returns the meanings of a question. Words without information are used only if there are no
// others.
func meanings(question string) []meaning {
	var stems stemmer
	var words, asked []string
	for word := range wordsOf(named(cut(question, maxQuestion))) {
		words, asked = append(words, word), append(asked, stems.stem(word))
		if len(words) == maxWords {
			break
		}
	}
	var counting, all []meaning
	for i := 0; i < len(words); i++ {
		one := meaning{words: asked[i : i+1], others: relatedStems()[asked[i]]}
		said := !ignored(words[i]) && words[i][0] > '9' // numbers are arguments for the tool
		for _, length := range []int{4, 3, 2} {
			if i+length > len(words) {
				continue
			}
			if others := relatedStems()[strings.Join(asked[i:i+length], " ")]; others != nil {
				one, said = meaning{asked[i : i+length], others}, true
				i += length - 1
				break
			}
		}
		if slices.ContainsFunc(all, func(m meaning) bool { return slices.Equal(m.words, one.words) }) {
			continue
		}
		if all = append(all, one); said {
			counting = append(counting, one)
		}
	}
	if counting == nil {
		return all
	}
	return counting
}

// named replaces names by their kind, if the name shows it: notes.txt is a file, and example.com a URL.
func named(question string) string {
	var b strings.Builder
	decimals := 0
	for _, word := range strings.Fields(question) {
		word := strings.Trim(word, `.,;:!?"'()`)
		base, ending, dot := strings.Cut(word, ".")
		if _, err := strconv.ParseFloat(word, 32); err == nil && dot {
			decimals++
		}
		switch {
		case strings.Contains(word, "://") || strings.HasPrefix(word, "www."):
			word = "url"
		case !dot || base == "" || strings.ContainsAny(word, "0123456789@") &&
			!strings.ContainsAny(ending, "abcdefghijklmnopqrstuvwxyz"):
		case slices.Contains([]string{"com", "org", "net", "de", "io", "dev", "eu", "uk"},
			ending[strings.LastIndex(ending, ".")+1:]):
			word = "url"
		case len(ending) <= 4:
			word = "file"
		}
		b.WriteString(word + " ")
	}
	if decimals > 1 {
		b.WriteString("coordinates")
	}
	return b.String()
}

// For words that are in no tool and have no known meaning.
const (
	resembles = 0.5
	leastSame = 4 // letters
)

// resembling returns the words of the index that begin with a word, with which it ends, or that differ in one
// letter.
func (x *Index) resembling(word string) (others []other) {
	for _, term := range x.terms {
		same := 0
		for same < min(len(term), len(word)) && term[same] == word[same] {
			same++
		}
		if same >= leastSame && (same == min(len(term), len(word)) || len(word)-same <= 1 && len(term)-same <= 1) ||
			oneOff(term, word, same) || len(term) > leastSame && strings.HasSuffix(word, term) {
			others = append(others, other{[]string{term}, resembles})
		}
	}
	return others
}

// oneOff reports whether two words with the same first letters differ in one letter that is added, missing or
// changed.
func oneOff(a, b string, same int) bool {
	if len(a) <= leastSame || len(b) <= leastSame || len(a)-len(b) > 1 || len(b)-len(a) > 1 {
		return false
	}
	a, b = a[same:], b[same:]
	switch {
	case len(a) > len(b):
		return a[1:] == b
	case len(b) > len(a):
		return b[1:] == a
	}
	return a != "" && a[1:] == b[1:]
}
