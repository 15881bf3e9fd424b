package updates

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"
)

// releases is a list of releases that records its requests.
type releases struct {
	*httptest.Server
	answer   string
	requests []*http.Request
}

func serve(t *testing.T, answer string) *releases {
	t.Helper()
	r := &releases{answer: answer}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		r.requests = append(r.requests, request)
		_, _ = w.Write([]byte(r.answer))
	}))
	t.Cleanup(r.Close)
	return r
}

const list = `[{"tag_name":"v0.3.0-rc.1","prerelease":true},{"tag_name":"v9.0.0","draft":true},{"tag_name":"nightly"},
	{"tag_name":"v0.9.0"},{"tag_name":"v0.10.0","html_url":"https://example.org/evil"},{"tag_name":"v0.2.0"}]`

// TestNothingIsAskedUntilAllowed checks that there is one request a day, and none before the person allows it.
func TestNothingIsAskedUntilAllowed(t *testing.T) {
	server := serve(t, list)
	now := time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)
	file := filepath.Join(t.TempDir(), "state", "updates.json")
	open := func() *Updates {
		return New(Options{Address: server.URL, Current: "0.9.0", File: file, Now: func() time.Time { return now }})
	}
	daily := func(requests int, version string) {
		t.Helper()
		// Each time another program, as after a login.
		release, newer, err := open().Daily(t.Context())
		if err != nil || newer != (version != "") || release.Version != version || len(server.requests) != requests {
			t.Errorf("%v, %v, %v after %d requests; want %q after %d", release, newer, err, len(server.requests), version,
				requests)
		}
	}
	daily(0, "")
	if _, err := os.Stat(file); err == nil || open().Allowed() {
		t.Error("something is kept before anything was allowed")
	}
	if err := open().Allow(true); err != nil || !open().Allowed() {
		t.Fatal(err)
	}
	daily(1, "0.10.0")
	now = now.Add(23 * time.Hour)
	daily(1, "0.10.0")
	now = now.Add(time.Hour)
	daily(2, "0.10.0")
	now = now.Add(-48 * time.Hour) // the clock was wrong
	daily(3, "0.10.0")
	server.answer = "no list"
	now = now.Add(24 * time.Hour)
	if _, _, err := open().Daily(t.Context()); err == nil {
		t.Error("a list that is none is taken")
	}
	daily(4, "0.10.0") // and is not asked again on the same day
	if err := open().Allow(false); err != nil {
		t.Fatal(err)
	}
	now = now.Add(240 * time.Hour)
	daily(4, "")
	for _, request := range server.requests {
		if request.Method != http.MethodGet || len(request.Cookies()) > 0 || request.ContentLength != 0 ||
			request.UserAgent() != "workbench-desktop" || request.URL.RawQuery != "" {
			t.Errorf("the request says more than it has to: %v", request)
		}
	}
}

// TestAsking checks which release of a list counts, and that only its version is taken from the list.
func TestAsking(t *testing.T) {
	server := serve(t, list)
	for current, want := range map[string]string{"0.9.0": "0.10.0", "0.10.0": "", "0.10.0-dev": "0.10.0", "0.11.0": "",
		"1.0.0-rc.1": "", "strange": ""} {
		u := New(Options{Address: server.URL, Current: current})
		release, newer, err := u.Ask(t.Context())
		page := "https://github.com/workbench-mcp/workbench-desktop/releases/tag/v0.10.0"
		if want == "" {
			page = "https://github.com/workbench-mcp/workbench-desktop/releases"
		}
		if err != nil || newer != (want != "") || release.Version != "0.10.0" || release.Page != page {
			t.Errorf("%s: %+v, %v, %v", current, release, newer, err)
		}
		if err := u.Allow(true); err == nil {
			t.Error("it is allowed, and nothing says so")
		}
	}
}

// TestBadLists checks that a list that is wrong, huge, strange or elsewhere is refused in a sentence.
func TestBadLists(t *testing.T) {
	for answer, want := range map[string]string{
		"":                                "is no list of releases",
		"<html>Welcome to the hotel":      "is no list of releases",
		"null":                            "is no list of releases",
		`{"message":"rate limit"}`:        "is no list of releases",
		`[{"tag_name":"v1.2"}]`:           "is no list of releases",
		`[{"tag_name":"v1.2.999999999"}]`: "is no list of releases",
		`[{"tag_name":"v01.2.3"}]`:        "is no list of releases",
		`[{"tag_name":"1.2.3; rm -rf"}]`:  "is no list of releases",
		`[{"tag_name":7}]`:                "is no list of releases",
		`[{"tag_name":"v1.2.3"},` + strings.Repeat(" ", maxAnswer): "is larger than 2 MiB",
	} {
		server := serve(t, answer)
		_, newer, err := New(Options{Address: server.URL, Current: "0.1.0"}).Ask(t.Context())
		if err == nil || newer || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v, want %q", answer, err, want)
		}
	}
	other := serve(t, list)
	for where, want := range map[string]string{other.URL: "sends us to another address", "/404": "the error 404"} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/404" {
				http.NotFound(w, r)
				return
			}
			http.Redirect(w, r, where, http.StatusFound)
		}))
		defer server.Close()
		if _, _, err := New(Options{Address: server.URL, Current: "0.1.0"}).Ask(t.Context()); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", where, err, want)
		}
	}
	if len(other.requests) > 0 {
		t.Error("the redirect was followed")
	}
	for _, address := range []string{"http://example.org/releases", "file:///etc/passwd", "https://a:b@example.org", "x"} {
		if _, _, err := New(Options{Address: address, Current: "0.1.0"}).Ask(t.Context()); err == nil ||
			!strings.Contains(err.Error(), Variable) {
			t.Errorf("%s: %v", address, err)
		}
	}
}

// TestNothingReleased checks that it is no error that there is no release yet, and that a list that has gone is one.
func TestNothingReleased(t *testing.T) {
	file := filepath.Join(t.TempDir(), "updates.json")
	for _, answer := range []string{"[]", `[{"tag_name":"v0.1.0-rc.1"}]`, `[{"tag_name":"v0.1.0","prerelease":true}]`,
		`[{"tag_name":"v0.1.0","draft":true},{"tag_name":"","draft":true}]`} {
		u := New(Options{Address: serve(t, answer).URL, Current: "0.0.9", File: file})
		if release, newer, err := u.Ask(t.Context()); err != nil || newer || release != (Release{Page: page}) {
			t.Errorf("%s: %+v, %v, %v", answer, release, newer, err)
		}
		if _, newer := u.Newer(); newer {
			t.Errorf("%s: something newer is known", answer)
		}
	}
	gone := httptest.NewServer(http.NotFoundHandler())
	defer gone.Close()
	ours := New(Options{Current: "0.0.9", Base: elsewhere(gone.URL)})
	if release, newer, err := ours.Ask(t.Context()); err != nil || newer || release.Version != "" {
		t.Errorf("GitHub has no list yet: %+v, %v, %v", release, newer, err)
	}
	other := New(Options{Address: gone.URL, Current: "0.0.9"})
	if _, _, err := other.Ask(t.Context()); err == nil || !strings.Contains(err.Error(), "the error 404") {
		t.Errorf("a list that somebody has named is not there: %v", err)
	}
}

// elsewhere sends all requests to another address.
type elsewhere string

func (e elsewhere) RoundTrip(request *http.Request) (*http.Response, error) {
	moved, err := http.NewRequestWithContext(request.Context(), request.Method, string(e), nil)
	if err != nil {
		return nil, err
	}
	return http.DefaultTransport.RoundTrip(moved)
}

// silent never answers.
type silent struct{}

func (silent) RoundTrip(request *http.Request) (*http.Response, error) {
	<-request.Context().Done()
	return nil, request.Context().Err()
}

// TestSlowList checks that a list that does not answer is given up, and is not asked again on the same day.
func TestSlowList(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		u := New(Options{Current: "0.1.0", File: filepath.Join(t.TempDir(), "updates.json"), Base: silent{}})
		if err := u.Allow(true); err != nil {
			t.Fatal(err)
		}
		begun := time.Now()
		_, _, err := u.Daily(t.Context())
		if err == nil || !strings.Contains(err.Error(), "did not answer within 15 seconds") || time.Since(begun) != 15*time.Second {
			t.Errorf("after %s: %v", time.Since(begun), err)
		}
		if _, newer, err := u.Daily(t.Context()); newer || err != nil {
			t.Errorf("at once again: %v, %v", newer, err)
		}
	})
}

// counting answers with a list and counts the requests.
type counting struct{ requests int }

func (c *counting) RoundTrip(*http.Request) (*http.Response, error) {
	c.requests++
	recorder := httptest.NewRecorder()
	_, err := recorder.WriteString(list)
	return recorder.Result(), err
}

// TestWatch checks that a program that runs for days asks once a day, and stops when it is no longer allowed.
func TestWatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		base := &counting{}
		u := New(Options{Current: "0.9.0", File: filepath.Join(t.TempDir(), "updates.json"), Base: base})
		ctx, cancel := context.WithCancel(t.Context())
		var told string
		go u.Watch(ctx, func(release Release, newer bool) { told = release.Version })
		time.Sleep(50 * time.Hour)
		synctest.Wait()
		if base.requests != 0 || told != "" {
			t.Errorf("%d requests before it was allowed, and it says %q", base.requests, told)
		}
		if err := u.Allow(true); err != nil {
			t.Fatal(err)
		}
		time.Sleep(72*time.Hour + 30*time.Minute)
		synctest.Wait()
		if base.requests < 3 || base.requests > 4 || told != "0.10.0" {
			t.Errorf("%d requests in three days, and it says %q", base.requests, told)
		}
		cancel()
		synctest.Wait()
	})
}

// TestDamagedState checks that a file that cannot be read allows nothing.
func TestDamagedState(t *testing.T) {
	server := serve(t, list)
	file := filepath.Join(t.TempDir(), "updates.json")
	for _, text := range []string{"", "{", `{"allowed":"yes"}`, strings.Repeat("x", maxKept+1)} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		u := New(Options{Address: server.URL, Current: "0.1.0", File: file})
		if _, newer, err := u.Daily(t.Context()); newer || err != nil || u.Allowed() || len(server.requests) > 0 {
			t.Errorf("%.20q: %v, %v", text, newer, err)
		}
	}
	// A folder is no file, so nothing can be noted, and nothing is asked.
	u := New(Options{Address: server.URL, Current: "0.1.0", File: t.TempDir()})
	if err := u.Allow(true); err == nil || errors.Is(err, errNowhere) || len(server.requests) > 0 {
		t.Error(err)
	}
}

// TestWays checks which command updates the program, by how it was installed.
func TestWays(t *testing.T) {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	repository := file("deb https://workbench-mcp.github.io/workbench-desktop/apt ./\n")
	deb := "var/lib/dpkg/info/workbench-desktop.list"
	for _, test := range []struct {
		system, program string
		files           fstest.MapFS
		want            string
	}{
		{"linux", "/usr/bin/workbench-desktop", fstest.MapFS{deb: file(""), "etc/apt/sources.list.d/workbench.list": repository},
			"sudo apt update && sudo apt install --only-upgrade workbench-desktop"},
		{"linux", "/usr/bin/workbench-desktop", fstest.MapFS{deb: file(""), "etc/apt/sources.list": file("deb x")}, ""},
		{"linux", "/home/ada/bin/workbench-desktop", fstest.MapFS{deb: file(""), "etc/apt/sources.list": repository}, ""},
		{"linux", "/usr/bin/workbench-engine", fstest.MapFS{"etc/yum.repos.d/workbench.repo": repository},
			"sudo dnf upgrade workbench-desktop"},
		{"linux", "/usr/bin/workbench-engine", fstest.MapFS{"etc/zypp/repos.d/workbench.repo": repository},
			"sudo zypper update workbench-desktop"},
		{"linux", "/usr/bin/workbench-desktop", fstest.MapFS{}, ""},
		{"linux", "/home/linuxbrew/.linuxbrew/Cellar/workbench-engine/0.1.0/bin/workbench-engine", fstest.MapFS{},
			"brew upgrade workbench-engine"},
		{"darwin", "/Applications/Workbench.app/Contents/MacOS/workbench-desktop",
			fstest.MapFS{"opt/homebrew/Caskroom/workbench/.metadata": file("")}, "brew upgrade --cask workbench"},
		{"darwin", "/Applications/Workbench.app/Contents/MacOS/workbench-desktop", fstest.MapFS{}, ""},
		{"windows", `C:\Users\Ada\scoop\apps\workbench\0.1.0\workbench-desktop.exe`, fstest.MapFS{}, "scoop update workbench"},
		{"windows", `C:\Users\Ada\AppData\Local\Programs\Workbench\workbench-desktop.exe`, fstest.MapFS{}, ""},
	} {
		if got := find(test.system, test.program, test.files); got.Command != test.want {
			t.Errorf("%s, %s: %q, want %q", test.system, test.program, got.Command, test.want)
		}
	}
	release := Release{Version: "1.2.3", Page: "https://example.org/1.2.3"}
	for _, test := range []struct {
		way  Way
		want string
	}{{Way{}, release.Page}, {Way{Command: "brew upgrade workbench"}, "brew upgrade workbench"}} {
		if said := test.way.Text(release).String(); !strings.Contains(said, test.want) {
			t.Errorf("%+v: %s", test.way, said)
		}
	}
}
