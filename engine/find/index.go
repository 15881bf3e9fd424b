package find

import (
	"cmp"
	"math"
	"slices"
)

// Index searches docs. It is never changed and is safe for concurrent use.
type Index struct {
	docs     int
	postings map[string][]posting
	terms    []string // of postings, in order
}

// posting is a doc that contains a term.
type posting struct {
	doc   int32
	score float32 // the weight of the term in the doc without its rarity, 0 to 1
	named float32 // how much of the doc's name the term is, 0 to 1
}

// Parameters of the ranking function BM25.
const (
	saturation   = 1.4 // how much repetitions of a word count
	lengthCounts = 0.8 // how much the length of a text counts
	maxRepeated  = 2   // further repetitions were probably written in order to be found
)

// nameCounts is how much more a doc counts if the question contains its whole name.
const nameCounts = 0.8

// NewIndex returns an index of docs. Find returns their indexes in the list.
func NewIndex(docs []Doc) *Index {
	x := &Index{docs: len(docs), postings: map[string][]posting{}}
	var mean [fields]float64
	for _, doc := range docs {
		for field, length := range doc.lengths {
			mean[field] += float64(length) / float64(len(docs))
		}
	}
	weights := importance()
	type word struct {
		term string
		at   int // the index in its postings
	}
	var names []word
	for at, doc := range docs {
		for i, term := range doc.terms {
			sum := 0.0
			for field, count := range doc.counts[i] {
				if count > 0 {
					sum += weights[field] * float64(min(count, maxRepeated)) / (1 - lengthCounts +
						lengthCounts*float64(doc.lengths[field])/mean[field])
				}
			}
			// a word that is also in the name of the server is not counted as part of the name
			if doc.counts[i][inName] > 0 && doc.counts[i][inServer] == 0 {
				names = append(names, word{term, len(x.postings[term])})
			}
			x.postings[term] = append(x.postings[term], posting{doc: int32(at), score: float32(sum / (saturation + sum))})
		}
	}
	for term := range x.postings {
		x.terms = append(x.terms, term)
	}
	slices.Sort(x.terms)
	whole := make([]float32, len(docs))
	for _, w := range names {
		list := x.postings[w.term]
		list[w.at].named = x.rare(len(list))
		whole[list[w.at].doc] += list[w.at].named
	}
	for _, w := range names {
		p := &x.postings[w.term][w.at]
		p.named /= whole[p.doc]
	}
	return x
}

// rare returns the weight of a word by the number of docs that have it.
func (x *Index) rare(having int) float32 {
	return float32(math.Log(1 + (float64(x.docs)-float64(having)+0.5)/(float64(having)+0.5)))
}

// Find returns the indexes of the docs that match a question, the best first, no more than most of them.
func (x *Index) Find(question string, most int) []int {
	scores, named := make([]float32, x.docs), make([]float32, x.docs)
	t := tally{best: make([]float32, x.docs), named: make([]float32, x.docs)}
	for _, asked := range meanings(question) {
		x.count(asked, &t)
		t.addTo(scores, named)
	}
	var found []int
	for doc, score := range scores {
		if score > 0 {
			found = append(found, doc)
			scores[doc] *= 1 + nameCounts*min(named[doc], 1)
		}
	}
	slices.SortStableFunc(found, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	return found[:min(len(found), most)]
}

// count scores a meaning of the question. All related words together determine how rare it is: a word that is
// common in another sense does not count more because one tool has it.
func (x *Index) count(asked meaning, t *tally) {
	itself := x.having(asked.words)
	others := asked.others
	if len(itself) == 0 && len(others) == 0 && len(asked.words) == 1 {
		others = x.resembling(asked.words[0])
	}
	for _, other := range others {
		t.take(x.having(other.words), other.weight)
	}
	t.take(itself, 0)
	rare := x.rare(len(t.touched))
	for _, doc := range t.touched {
		t.best[doc] *= rare
	}
	t.take(itself, x.rare(len(itself)))
}

// having returns the docs that have all words of a phrase, with the best score among these words.
func (x *Index) having(phrase []string) []posting {
	all := x.postings[phrase[0]]
	for _, stem := range phrase[1:] {
		var both []posting
		for _, p := range all {
			at, ok := slices.BinarySearchFunc(x.postings[stem], p.doc, func(q posting, doc int32) int {
				return cmp.Compare(q.doc, doc)
			})
			if ok {
				other := x.postings[stem][at]
				both = append(both, posting{p.doc, max(p.score, other.score), p.named + other.named})
			}
		}
		all = both
	}
	return all
}

// tally has the score of one meaning in each doc, which is that of its best word. Words with the same meaning
// are not added up.
type tally struct {
	best, named []float32
	seen        []bool
	touched     []int32
}

func (t *tally) take(list []posting, weight float32) {
	if t.seen == nil {
		t.seen = make([]bool, len(t.best))
	}
	for _, p := range list {
		if !t.seen[p.doc] {
			t.seen[p.doc] = true
			t.touched = append(t.touched, p.doc)
		}
		t.best[p.doc] = max(t.best[p.doc], p.score*weight)
		if weight > 0 {
			t.named[p.doc] = max(t.named[p.doc], p.named*min(weight, 1))
		}
	}
}

// addTo adds the meaning to the scores of the question, and resets the tally.
func (t *tally) addTo(scores, named []float32) {
	for _, doc := range t.touched {
		scores[doc] += t.best[doc]
		named[doc] += t.named[doc]
		t.best[doc], t.named[doc], t.seen[doc] = 0, 0, false
	}
	t.touched = t.touched[:0]
}
