package updates

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/lazyregexp"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/source"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// maxAnswer is how long the list may be, in bytes. One of twenty releases with all their files has a tenth of it.
const maxAnswer = 2 << 20

// errNowhere means that there is no folder for what has to be kept.
var errNowhere = errors.New("there is no place to keep it")

// version is a version without what may stand behind a hyphen.
type version struct {
	numbers [3]int
	early   bool // it comes before the version of these numbers, as 1.2.3-rc.1 does
}

// shape is what a version looks like. Five digits are enough for every day of two centuries.
var shape = lazyregexp.New(`^v?(0|[1-9][0-9]{0,4})\.(0|[1-9][0-9]{0,4})\.(0|[1-9][0-9]{0,4})(-[0-9A-Za-z.-]+)?$`)

// parse reads a version such as v1.2.3.
func parse(text string) (version, bool) {
	found := shape.FindStringSubmatch(text)
	if found == nil {
		return version{}, false
	}
	var v version
	for i := range v.numbers {
		v.numbers[i], _ = strconv.Atoi(found[i+1]) // five digits
	}
	v.early = found[4] != ""
	return v, true
}

func (v version) String() string {
	var parts []string
	for _, number := range v.numbers {
		parts = append(parts, strconv.Itoa(number))
	}
	return strings.Join(parts, ".")
}

// before reports whether v comes before other.
func (v version) before(other version) bool {
	for i, number := range v.numbers {
		if number != other.numbers[i] {
			return number < other.numbers[i]
		}
	}
	return v.early && !other.early
}

// ask asks for the list and returns its newest release, which is the zero version as long as there is none.
func (u *Updates) ask(ctx context.Context) (version, error) {
	if u.err != nil {
		return version{}, u.err
	}
	body, err := u.list.Get(ctx, u.list.Address().String())
	var missing source.Missing
	if errors.As(err, &missing) && u.options.Address == official {
		// GitHub answers so as long as a project has published nothing. Another list was named by somebody.
		return version{}, nil
	}
	if err != nil {
		return version{}, err
	}
	newest, ok := newestOf(body)
	if !ok {
		return version{}, words.NewError("updates.unreadable", "Host", u.list.Address().Host)
	}
	return newest, nil
}

// newestOf returns the highest version of a list of releases. A release that is a draft, or comes before one, does not
// count, and neither does a version that is none. If the list has nothing else than drafts and what comes before a
// release, the version is zero, and ok is true.
func newestOf(list []byte) (newest version, ok bool) {
	var releases []struct {
		Tag        string `json:"tag_name"`
		Draft      bool   `json:"draft"`
		Prerelease bool   `json:"prerelease"`
	}
	if json.Unmarshal(list, &releases) != nil || releases == nil {
		return version{}, false
	}
	strange := false
	for _, release := range releases {
		found, understood := parse(release.Tag)
		switch {
		case release.Draft || release.Prerelease || found.early:
		case !understood:
			strange = true
		case newest.before(found):
			newest = found
		}
	}
	return newest, newest != version{} || !strange
}
