// Package order sorts lists as package slices does, with less code in the program: that of [slices.SortFunc] is there once for each kind of
// element, with up to 17 kB. Lists that are sorted often, or in their thousands, are better off with package slices.
package order

import "sort"

// By sorts a list. Elements that compare as equal stay in their order.
func By[T any](list []T, compare func(a, b T) int) {
	sort.SliceStable(list, func(i, j int) bool { return compare(list[i], list[j]) < 0 })
}
