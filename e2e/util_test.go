package e2e

import "slices"

func sorted(list []string) []string {
	out := slices.Clone(list)
	slices.Sort(out)
	return out
}
