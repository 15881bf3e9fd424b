// Package updates says whether a newer version of this program was released, and how the person gets it.
//
// It sends nothing until the person has allowed it, or asks at this moment: then one request, to the list of releases.
// Nothing is downloaded or installed, since package managers do that. Strangers may have written the list, so only a
// version is taken from it. The page of a release follows from the version.
package updates

import (
	"context"
	"encoding/json"
	"net/http"
	"sync"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/source"
	"github.com/workbench-mcp/workbench-desktop/engine/pause"
)

// Variable is the environment variable with the address of another list of releases, such as that of an organisation.
const Variable = "WORKBENCH_RELEASES"

const (
	// page is where people download releases.
	page = "https://github.com/workbench-mcp/workbench-desktop/releases"
	// official is the list of releases for programs.
	official = "https://api.github.com/repos/workbench-mcp/workbench-desktop/releases?per_page=20"
	// day is the time between two requests that nobody asked for.
	day = 24 * time.Hour
	// maxKept is more than the file ever has, in bytes.
	maxKept = 64 << 10
)

// Options say which list is asked, for which program.
type Options struct {
	Address string            // of the list; empty: that of the project
	Current string            // the version of this program
	File    string            // where it is kept what is allowed and known; empty: nowhere, and nothing is allowed
	Base    http.RoundTripper // nil: as [source.Options] says
	Now     func() time.Time  // nil: time.Now
}

// Updates knows the newest release. It is safe for concurrent use.
type Updates struct {
	options Options
	list    *source.Source
	err     error // why the list cannot be asked

	mu sync.Mutex // held while the file is read and written
}

// kept is what the file has.
type kept struct {
	Allowed bool      `json:"allowed"`
	Asked   time.Time `json:"asked,omitzero"`
	Newest  string    `json:"newest,omitempty"`
}

// Release is a released version.
type Release struct {
	Version string
	Page    string // where it is downloaded
}

// New returns the updates of a program. It sends nothing.
func New(options Options) *Updates {
	if options.Now == nil {
		options.Now = time.Now
	}
	if options.Address == "" {
		options.Address = official
	}
	u := &Updates{options: options}
	u.list, u.err = source.New(source.Options{
		Address: options.Address, Variable: Variable, MaxAnswer: maxAnswer, Base: options.Base})
	return u
}

// Allowed reports whether the person has allowed one request a day.
func (u *Updates) Allowed() bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.read().Allowed
}

// Allow allows one request a day, or forbids it.
func (u *Updates) Allow(on bool) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	now := u.read()
	now.Allowed = on
	return u.write(now)
}

// Newer returns the newest release that is known without asking, if it is newer than this program.
func (u *Updates) Newer() (Release, bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.newer(u.read().Newest)
}

// Ask asks for the newest release now, since the person wants to know it. It reports whether that is newer than this
// program. The release has no version as long as there is none.
func (u *Updates) Ask(ctx context.Context) (Release, bool, error) {
	newest, err := u.ask(ctx)
	if err != nil {
		return Release{}, false, err
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	now := u.read()
	now.Asked, now.Newest = u.options.Now(), ""
	if newest != (version{}) {
		now.Newest = newest.String()
	}
	_ = u.write(now) // the answer is good without it
	release, newer := u.newer(now.Newest)
	if !newer {
		release = Release{Version: now.Newest, Page: page}
	}
	return release, newer, nil
}

// Daily asks if the person has allowed it, and if nobody has asked for a day. It reports whether there is a newer
// release. A request that fails counts, too, so that a list that is out of order is not asked again and again.
func (u *Updates) Daily(ctx context.Context) (Release, bool, error) {
	switch {
	case !u.Allowed():
		return Release{}, false, nil
	case u.due():
		return u.Ask(ctx)
	}
	release, newer := u.Newer()
	return release, newer, nil
}

// Watch asks as [Updates.Daily] does until ctx ends, and calls tell with what is known. An error is not told: nobody
// has asked.
func (u *Updates) Watch(ctx context.Context, tell func(Release, bool)) {
	for {
		if release, newer, err := u.Daily(ctx); err == nil {
			tell(release, newer)
		}
		if !pause.For(ctx, time.Hour) {
			return
		}
	}
}

// due reports whether it is time for the daily request, and notes that it is made now.
func (u *Updates) due() bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	state, now := u.read(), u.options.Now()
	// A time to come is that of a clock that was wrong.
	if !state.Allowed || now.Sub(state.Asked) < day && !state.Asked.After(now) {
		return false
	}
	state.Asked = now
	// Where nothing can be noted, each start of the program would ask.
	return u.write(state) == nil
}

// newer returns the release of a version if it is newer than this program.
func (u *Updates) newer(text string) (Release, bool) {
	newest, ok := parse(text)
	current, known := parse(u.options.Current)
	if !ok || !known || !current.before(newest) {
		return Release{}, false
	}
	return Release{Version: newest.String(), Page: page + "/tag/v" + newest.String()}, true
}

// read returns what is kept. A file that cannot be read allows nothing.
func (u *Updates) read() (state kept) {
	if u.options.File == "" {
		return kept{}
	}
	data, err := atomicfile.Read(u.options.File, maxKept)
	if err != nil || json.Unmarshal(data, &state) != nil {
		return kept{}
	}
	return state
}

func (u *Updates) write(state kept) error {
	if u.options.File == "" {
		return errNowhere
	}
	data, err := json.Marshal(state)
	if err != nil {
		return err
	}
	return atomicfile.Overwrite(u.options.File, append(data, '\n'))
}
