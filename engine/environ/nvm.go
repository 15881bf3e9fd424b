package environ

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// maxAlias is the size in bytes of the largest file that names a version. maxAliases is how often one alias
// may name another.
const (
	maxAlias   = 256
	maxAliases = 10
)

// nvmDefault returns the folder of the programs of the Node.js version that nvm uses in new shells. It is
// determined by files: alias/default names a version, a part of one, or another alias. Without a usable
// default, it is the newest installed version. The result is empty if there is none, or no nvm.
func nvmDefault(folder string) string {
	if !filepath.IsAbs(folder) {
		return ""
	}
	installed := nvmInstalled(filepath.Join(folder, "versions", "node"))
	if len(installed) == 0 {
		return ""
	}
	wanted := "default"
	for range maxAliases {
		target := readAlias(folder, wanted)
		if target == "" {
			break
		}
		wanted = target
	}
	best := installed[len(installed)-1]
	for _, version := range slices.Backward(installed) {
		if version.matches(wanted) {
			best = version
			break
		}
	}
	return filepath.Join(folder, "versions", "node", best.name, "bin")
}

// readAlias returns the value of an alias of nvm; empty if there is no such alias.
func readAlias(folder, name string) string {
	// Names such as lts/* are files too; no other name has a slash.
	if !filepath.IsLocal(name) {
		return ""
	}
	path := filepath.Join(folder, "alias", filepath.FromSlash(name))
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxAlias {
		return ""
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	first, _, _ := strings.Cut(string(text), "\n")
	return strings.TrimSpace(first)
}

// nodeVersion is an installed version of Node.js.
type nodeVersion struct {
	name    string // of its folder, such as v22.11.0
	numbers []int
}

// matches reports whether a version matches a text: 22 and v22.11 match all versions that begin so.
func (v nodeVersion) matches(wanted string) bool {
	numbers := versionNumbers(wanted)
	return len(numbers) > 0 && len(numbers) <= len(v.numbers) && slices.Equal(numbers, v.numbers[:len(numbers)])
}

// nvmOfFish returns the folder of the programs of the newest Node.js that nvm.fish has installed, which has its own
// folder for all versions. The result is empty if there is none.
func nvmOfFish(folder string) string {
	if !filepath.IsAbs(folder) {
		return ""
	}
	installed := nvmInstalled(folder)
	if len(installed) == 0 {
		return ""
	}
	return filepath.Join(folder, installed[len(installed)-1].name, "bin")
}

// nvmInstalled returns the versions that are installed in a folder, the oldest first.
func nvmInstalled(folder string) []nodeVersion {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil
	}
	var versions []nodeVersion
	for _, entry := range entries {
		if numbers := versionNumbers(entry.Name()); len(numbers) == 3 {
			versions = append(versions, nodeVersion{entry.Name(), numbers})
		}
	}
	slices.SortStableFunc(versions, func(a, b nodeVersion) int { return slices.Compare(a.numbers, b.numbers) })
	return versions
}

// versionNumbers parses v22.11.0 or a part of it; it returns nil for anything else.
func versionNumbers(text string) []int {
	var numbers []int
	for part := range strings.SplitSeq(strings.TrimPrefix(text, "v"), ".") {
		number, err := strconv.Atoi(part)
		if err != nil || number < 0 || len(numbers) == 3 {
			return nil
		}
		numbers = append(numbers, number)
	}
	return numbers
}
