package toolbox

import (
	"maps"
	"slices"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/pin"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// withoutChangedWords returns items of a list other than tools, without the titles and descriptions that have changed
// since they were first listed.
func (ps *pins) withoutChangedWords(l *link, kind downstream.Kind, items []downstream.Item) []downstream.Item {
	ps.boxes.mu.Lock()
	defer ps.boxes.mu.Unlock()
	p := &l.pins
	if !p.loaded {
		return items
	}
	about := kind.List()
	items = slices.Clone(items)
	added := map[pin.WordsID]pin.Hash{}
	left := 0
	for i, item := range items {
		id, hash := pin.NewWordsID(about.Name, item.Name), pin.SumWords(item.Definition)
		verdict := pin.TooManyWords
		if !p.unread || p.trusted {
			verdict = p.record.JudgeWords(id, hash, p.words)
		}
		switch {
		case verdict == pin.KnownWords:
		case verdict == pin.NewWords, p.trusted:
			added[id] = hash
			ps.sayMarks(l, about.Name, item)
		default:
			items[i].Title, items[i].Description = "", ""
			items[i].Definition = pin.WithoutWords(about.Name, item.Definition)
			if !p.told[id] && len(p.told) < maxNamed {
				if p.told == nil {
					p.told = map[pin.WordsID]bool{}
				}
				p.told[id] = true
				left++
			}
		}
	}
	if left > 0 {
		l.journal.say(words.New("toolbox.words_left_out", "List", about.Plural))
		l.log.Warn("The words of some items have changed and are left out", "list", about.Plural)
	}
	if len(added) > 0 {
		if p.words == nil {
			p.words = map[pin.WordsID]pin.Hash{}
		}
		maps.Copy(p.words, added)
		ps.keep(l)
	}
	return items
}

// sayMarks logs words in a new item that may be meant to steer a model, unless too much has been searched for this
// link.
func (ps *pins) sayMarks(l *link, kind string, item downstream.Item) {
	if l.pins.looked += len(item.Definition); l.pins.looked > pin.Budget {
		return
	}
	for _, mark := range pin.Marks(pin.Definition{Name: item.Name, Raw: item.Definition}, nil) {
		name := kind + " " + downstream.Clean(item.Name, maxName)
		l.journal.say(words.New("toolbox.tool_marked", "Name", name, "Why", mark.Text()))
		l.log.Warn("The words of a server may be meant to steer the AI", "item", name, "problem", mark.Text())
	}
}
