package find

import (
	"iter"
	"strings"
	"unicode"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
)

// wordsOf returns the words of a text in lower case. The parts of a name such as create_pullRequest are words
// too.
func wordsOf(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		runes := []rune(text)
		start := -1
		for i := 0; i <= len(runes); i++ {
			inside := i < len(runes) && (unicode.IsLetter(runes[i]) || unicode.IsDigit(runes[i]))
			if start >= 0 && (!inside || beginsWord(runes, i)) {
				if !yield(strings.ToLower(string(runes[start:i]))) {
					return
				}
				start = -1
			}
			if inside && start < 0 {
				start = i
			}
		}
	}
}

// beginsWord reports whether a new word begins at a letter inside a name, as in createIssue and HTMLPage.
func beginsWord(runes []rune, i int) bool {
	if !unicode.IsUpper(runes[i]) {
		return false
	}
	return unicode.IsLower(runes[i-1]) || i+1 < len(runes) && unicode.IsUpper(runes[i-1]) &&
		unicode.IsLower(runes[i+1]) && !severalOf(runes[i+1:])
}

// severalOf reports whether a word ends with a plural s, as in PRs.
func severalOf(rest []rune) bool {
	return rest[0] == 's' && (len(rest) == 1 || !unicode.IsLetter(rest[1]))
}

// maxStems is how many stems are cached.
const maxStems = 20_000

// stemmer finds the stems of English words. The zero value is ready to use.
type stemmer struct {
	env  *snowballstem.Env
	seen map[string]string
}

func (s *stemmer) stem(word string) string {
	if found, ok := s.seen[word]; ok {
		return found
	}
	if s.seen == nil || len(s.seen) >= maxStems {
		s.env, s.seen = snowballstem.NewEnv(""), map[string]string{}
	}
	text := word
	if len(word) > 2 && !strings.ContainsAny(word, "aeiouy") {
		text = strings.TrimSuffix(word, "s") // the stemmer needs a vowel, which the plural PRs does not have
	}
	s.env.SetCurrent(text)
	english.Stem(s.env)
	found := strings.Clone(s.env.Current())
	s.seen[strings.Clone(word)] = found
	return found
}

// ignored reports whether a word of a question gives no information about the tool.
func ignored(word string) bool {
	switch word {
	case "a", "an", "the", "this", "that", "these", "those", "some", "any", "all", "every", "each", "another", "other",
		"i", "me", "my", "mine", "we", "us", "our", "you", "your", "he", "him", "his", "she", "her", "it", "its", "they",
		"them", "their", "s", "t", "d", "ll", "re", "ve",
		"is", "are", "was", "were", "be", "been", "am", "do", "does", "did", "done", "have", "has", "had", "can", "could",
		"will", "would", "should", "shall", "may", "might", "must",
		"of", "to", "in", "on", "at", "by", "for", "from", "with", "about", "into", "onto", "as", "and", "or", "but", "if",
		"then", "than", "so",
		"what", "which", "how", "when", "where", "why", "there", "here", "not", "no", "yes", "please", "going", "gonna",
		"ever", "already", "currently", "exactly", "actually", "really", "something", "somebody", "someone", "stuff",
		"thing", "things", "way", "able", "whether", "need", "want", "let", "like", "just", "still", "yet", "now", "also",
		"only",
		"tool", "tools":
		return true
	}
	return false
}
