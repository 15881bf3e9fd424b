package config

import "strings"

// nearest returns the known word that a misspelt word probably means, or "".
func nearest(word string, known []string) string {
	best, distance := "", 3
	folded := strings.ToLower(word)
	for _, candidate := range known {
		limit := min(2, len(candidate)/2) // "url" may have one mistake, "command" two
		if d := edits(folded, strings.ToLower(candidate), limit); d <= limit && d < distance {
			best, distance = candidate, d
		}
	}
	return best
}

// edits returns how many letters must be added, removed, changed or swapped with a neighbour to turn a into
// b: the Damerau-Levenshtein distance. Above limit the result may be inexact.
func edits(a, b string, limit int) int {
	if len(a)-len(b) > limit || len(b)-len(a) > limit {
		return limit + 1
	}
	before, previous, current := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range previous {
		previous[j] = j
	}
	for i := 1; i <= len(a); i++ {
		current[0] = i
		for j := 1; j <= len(b); j++ {
			change := previous[j-1]
			if a[i-1] != b[j-1] {
				change++
			}
			current[j] = min(previous[j]+1, current[j-1]+1, change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				current[j] = min(current[j], before[j-2]+1)
			}
		}
		before, previous, current = previous, current, before
	}
	return previous[len(b)]
}
