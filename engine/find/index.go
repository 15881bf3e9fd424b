package find

import (
	"cmp"
	"math"
	"slices"
)

// Index finds docs. It is never changed, and can be asked from any goroutine.
type Index struct {
	docs     int
	postings map[string][]posting
}

// posting is a doc that has a term.
type posting struct {
	doc   int32
	score float32 // what the term alone is worth there
}

// Of BM25: how soon more of the same word counts for nothing, and how much the length of a text counts.
const (
	saturation   = 1.2
	lengthCounts = 0.6
	maxRepeated  = 2 // a word that stands more often in a part of a tool was put there to be found
)

// NewIndex returns an index of docs. What it finds are their places in the list.
func NewIndex(docs []Doc) *Index {
	x := &Index{docs: len(docs), postings: map[string][]posting{}}
	var mean [fields]float64
	for _, doc := range docs {
		for field, length := range doc.lengths {
			mean[field] += float64(length) / float64(len(docs))
		}
	}
	weights := importance()
	for at, doc := range docs {
		for i, term := range doc.terms {
			sum := 0.0
			for field, count := range doc.counts[i] {
				if count > 0 {
					sum += weights[field] * float64(min(count, maxRepeated)) / (1 - lengthCounts + lengthCounts*float64(doc.lengths[field])/mean[field])
				}
			}
			x.postings[term] = append(x.postings[term], posting{int32(at), float32(sum / (saturation + sum))})
		}
	}
	for _, list := range x.postings {
		rare := float32(math.Log(1 + (float64(len(docs))-float64(len(list))+0.5)/(float64(len(list))+0.5)))
		for i := range list {
			list[i].score *= rare
		}
	}
	return x
}

// maxQuestion is how much of a question counts, in bytes, and maxWords how many of its words.
const (
	maxQuestion = 1_000
	maxWords    = 40
)

// Find returns the places of the docs that fit a question, the best first, and at most so many.
func (x *Index) Find(question string, most int) []int {
	var stems stemmer
	scores := make([]float32, x.docs)
	word := tally{best: make([]float32, x.docs)}
	for _, asked := range asked(question) {
		stem := stems.stem(asked)
		word.take(x.postings[stem], 1)
		for _, phrase := range relatedStems()[stem] {
			word.take(x.having(phrase), alike)
		}
		word.addTo(scores)
	}
	var found []int
	for doc, score := range scores {
		if score > 0 {
			found = append(found, doc)
		}
	}
	slices.SortStableFunc(found, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	return found[:min(len(found), most)]
}

// having returns the docs that have all words of a phrase, with what the best of them is worth there.
func (x *Index) having(phrase []string) []posting {
	all := x.postings[phrase[0]]
	for _, stem := range phrase[1:] {
		var both []posting
		for _, p := range all {
			at, ok := slices.BinarySearchFunc(x.postings[stem], p.doc, func(q posting, doc int32) int { return cmp.Compare(q.doc, doc) })
			if ok {
				both = append(both, posting{p.doc, max(p.score, x.postings[stem][at].score)})
			}
		}
		all = both
	}
	return all
}

// tally is what one word of a question is worth in each doc: what the best of its alternatives is. Words that mean the same do not add up.
type tally struct {
	best    []float32
	touched []int32
}

func (t *tally) take(list []posting, weight float32) {
	for _, p := range list {
		if t.best[p.doc] == 0 {
			t.touched = append(t.touched, p.doc)
		}
		t.best[p.doc] = max(t.best[p.doc], p.score*weight)
	}
}

// addTo adds the word to the scores of the question, and forgets it.
func (t *tally) addTo(scores []float32) {
	for _, doc := range t.touched {
		scores[doc] += t.best[doc]
		t.best[doc] = 0
	}
	t.touched = t.touched[:0]
}

// asked returns the words of a question that count: all of them when none does.
func asked(question string) []string {
	var all, counting []string
	for word := range wordsOf(cut(question, maxQuestion)) {
		if slices.Contains(all, word) {
			continue
		}
		if all = append(all, word); !ignored(word) {
			counting = append(counting, word)
		}
		if len(all) == maxWords {
			break
		}
	}
	if counting == nil {
		return all
	}
	return counting
}
