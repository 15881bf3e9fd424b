// Package order sorts lists like package slices, but adds less code to the program: [slices.SortFunc] is
// compiled for each type of element, with up to 17 kB each. Lists that are sorted often, or that have
// thousands of elements, should use package slices.
package order

import "sort"

// By sorts a list. Equal elements keep their order.
func By[T any](list []T, compare func(a, b T) int) {
	sort.SliceStable(list, func(i, j int) bool { return compare(list[i], list[j]) < 0 })
}
