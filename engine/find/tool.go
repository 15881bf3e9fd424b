package find

import (
	"encoding/json"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

// Tool describes one tool.
type Tool struct {
	Toolbox, Server          string
	Name, Title, Description string
	Schema                   json.RawMessage // of its arguments; may be nil
}

// Doc is a tool in the form that an [Index] uses. It is never changed.
type Doc struct {
	terms   []string // without repetition
	counts  [][fields]uint16
	lengths [fields]int
}

// The parts of a tool.
const (
	inName = iota
	inTitle
	inSummary     // the first sentence of the description
	inDescription // the others
	inParameters  // their names
	inServer
	fields
)

// importance returns the weight of a word by the part in which it occurs.
func importance() [fields]float64 {
	return [fields]float64{inName: 2.7, inTitle: 2.5, inSummary: 1.3, inDescription: 1.2, inParameters: 0.7,
		inServer: 1.2}
}

// Limits for the parts of a tool that count.
const (
	maxText       = 600 // bytes of the description
	maxName       = 200
	maxParameters = 40
)

// Analyzer makes docs from tools. It caches stems and must be used by one goroutine. The zero value is ready
// to use.
type Analyzer struct{ stems stemmer }

// Doc returns the doc of a tool.
func (a *Analyzer) Doc(t Tool) Doc {
	var doc Doc
	at := map[string]int{}
	add := func(field int, text string, most int) {
		for word := range wordsOf(cut(text, most)) {
			term := a.stems.stem(word)
			i, ok := at[term]
			if !ok {
				i = len(doc.terms)
				at[term] = i
				doc.terms = append(doc.terms, term)
				doc.counts = append(doc.counts, [fields]uint16{})
			}
			doc.counts[i][field]++
			doc.lengths[field]++
		}
	}
	add(inName, t.Name, maxName)
	add(inTitle, t.Title, maxName)
	summary, rest := firstSentence(cut(t.Description, maxText))
	add(inSummary, summary, maxText)
	add(inDescription, rest, maxText)
	add(inServer, t.Server, maxName)
	add(inServer, t.Toolbox, maxName)
	for i, p := range jsonrpc.Split(jsonrpc.Lookup(t.Schema, "properties")) {
		if i == maxParameters {
			break
		}
		add(inParameters, p.Name, maxName)
	}
	return doc
}

// cut returns no more than most bytes of a text.
func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "")
}

// firstSentence splits a text after its first sentence.
func firstSentence(text string) (first, rest string) {
	end := len(text)
	for _, mark := range []string{". ", ".\n", "\n"} {
		if at := strings.Index(text, mark); at > 0 {
			end = min(end, at)
		}
	}
	return text[:end], text[end:]
}
