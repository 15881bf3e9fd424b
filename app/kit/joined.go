package kit

import (
	"slices"
	"strings"
)

// Together returns whole sentences one after the other. Texts that are empty are left out, and a full stop is added
// where it is missing. Parts of sentences must not be joined: their order is another one in other languages.
func Together(sentences ...string) string {
	var b strings.Builder
	if len(sentences) == 2 && (sentences[0] == "" || sentences[1] == "") {
		return Ended(sentences[0] + sentences[1])
	}
	for _, sentence := range sentences {
		sentence = Ended(sentence)
		if b.Len() > 0 && sentence != "" && !strings.HasSuffix(b.String(), "。") {
			b.WriteString(" ")
		}
		b.WriteString(sentence)
	}
	return b.String()
}

// Facts returns facts of a few words in one line. Each must be clear without the others. Empty ones are left out.
func Facts(facts ...string) string { return joined(" · ", facts) }

// Way returns names from the outermost to the innermost, such as those of a toolbox and a server in it.
func Way(names ...string) string { return joined(" › ", names) }

func joined(sign string, texts []string) string {
	if slices.Contains(texts, "") {
		texts = slices.DeleteFunc(slices.Clone(texts), func(text string) bool { return text == "" })
	}
	return strings.Join(texts, sign)
}
