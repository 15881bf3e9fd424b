package web

import (
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/encoding/htmlindex"

	"github.com/workbench-mcp/workbench-desktop/engine/builtin/tool/tooltest"
)

// answer is how a site answers to a request.
type answer struct {
	Status               int
	Type, Location       string
	Body, Encoding, File string
}

// recorded is a call, and what the reference server answers.
type recorded struct {
	Robots    *answer
	Arguments arguments
	Answer    struct{ Text, Refused string }
}

func (r recorded) String() string {
	text, _ := json.Marshal(r.Arguments)
	if r.Robots != nil {
		text = fmt.Appendf(text, " %d %q %q", r.Robots.Status, r.Robots.Body, r.Robots.Location)
	}
	return string(text)
}

func (a answer) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	body := []byte(strings.ReplaceAll(a.Body, "{agent}", product))
	if a.Encoding != "" {
		encoding, err := htmlindex.Get(a.Encoding)
		if err != nil {
			panic(err)
		}
		body, err = encoding.NewEncoder().Bytes(body)
		if err != nil {
			panic(err)
		}
	}
	if a.File != "" {
		content, err := os.ReadFile(filepath.Join("testdata", "pages", a.File))
		if err != nil {
			panic(err)
		}
		body = content
	}
	w.Header()["Content-Type"] = nil // as the site says, or none
	if a.Type != "" {
		w.Header().Set("Content-Type", a.Type)
	}
	if a.Location != "" {
		w.Header().Set("Location", a.Location)
	}
	w.WriteHeader(max(a.Status, http.StatusOK))
	_, _ = w.Write(body)
}

// facts are what a reader learns from a page in Markdown.
type facts struct{ words, links, headings, rows []string }

var (
	word   = regexp.MustCompile(`[\p{L}\p{N}]+`)
	target = regexp.MustCompile(`\]\(((?:[^()\s]|\([^()]*\))*)[^()]*\)`)
)

func words(text string) []string {
	text = target.ReplaceAllString(text, "]")
	return word.FindAllString(html.UnescapeString(strings.ReplaceAll(text, "<br />", " ")), -1)
}

func factsOf(text string, at *url.URL) facts {
	f := facts{words: words(text)}
	for _, link := range target.FindAllStringSubmatch(text, -1) {
		if strings.HasPrefix(link[1], "about:blank") || strings.HasPrefix(link[1], "data:") {
			continue // the reference server does not know where the page is, and shows a picture as its bytes
		}
		to, err := at.Parse(link[1])
		if err != nil {
			continue
		}
		if same, err := url.QueryUnescape(to.String()); err == nil { // two ways to write one address
			f.links = append(f.links, same)
		}
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if heading := strings.TrimLeft(line, "#"); heading != line {
			f.headings = append(f.headings, strings.Join(words(heading), " "))
		}
		if strings.HasPrefix(line, "|") && strings.Trim(line, "|-: ") != "" {
			var cells []string
			for cell := range strings.SplitSeq(strings.ReplaceAll(line, `\|`, " "), "|") {
				if in := words(cell); len(in) > 0 {
					cells = append(cells, strings.Join(in, " "))
				}
			}
			f.rows = append(f.rows, strings.Join(cells, " | "))
		}
	}
	return f
}

// missing returns the first of the wanted texts that does not come, in this order.
func missing(want, have []string) string {
	for _, text := range want {
		at := slices.Index(have, text)
		if at < 0 {
			return text
		}
		have = have[at+1:]
	}
	return ""
}

// better are the answers that are not those of the reference server on purpose: what ours says instead, and why.
func better() map[string]struct{ says, why string } {
	return map[string]struct{ says, why string }{
		`{"url":"{site}/law/2026/nothing.html"}`:         {"made by scripts", "it says why there is no text"},
		`{"url":"{site}/empty"}`:                         {"The page is empty.", "it is no error"},
		`{"url":"{site}/empty.txt"}`:                     {"The page is empty.", "it is no error"},
		`{"raw":true,"url":"{site}/empty"}`:              {"The page is empty.", "it is no error"},
		`{"url":"{site}/latin1-meta"}`:                   {"# Grüße\n\nGrüße aus Köln", "the page says its encoding"},
		`{"url":"{site}/latin1-silent"}`:                 {"# Grüße\n\nGrüße aus Köln", "it is no UTF-8"},
		`{"url":"{site}/utf16-silent"}`:                  {"nach „Müller“ fragt", "a byte order mark says so"},
		`{"url":"{site}/utf8-mark"}`:                     {"Grüße aus Köln", "the byte order mark is left out"},
		`{"url":"{site}/html-as-text"}`:                  {"<h1>Grüße</h1>", "the site says that it is plain text"},
		`{"url":"{site}/based"}`:                         {"/other/place/a.html)", "the page says where its links begin"},
		`{"url":"{site}/picture"}`:                       {"no text (image/gif)", "nobody can read its bytes"},
		`{"start_index":100000,"url":"{site}/long.txt"}`: {"has 4572 characters", "a refusal is not taken for the text"},
		`{"max_length":0,"url":"{site}/long.txt"}`:       {"1. Zeile", "some models fill in each argument with 0"},
		`{"max_length":1000000,"url":"{site}/long.txt"}`: {"120. Zeile", "more than there is does no harm"},
		`{"url":"{site}/to-closed"} 0 "User-agent: *\nDisallow: /closed\n" ""`: {"robots.txt",
			"robots.txt counts for the page that a redirect leads to"},
		`{"url":"{site}/closed"} 0 "\ufeffUser-agent: *\nDisallow: /closed\n" ""`: {"robots.txt",
			"a byte order mark is no part of the first line"},
		`{"url":"{site}/open"} 500 "User-agent: *\nDisallow: /closed\n" ""`: {"status 500",
			"nobody knows what is forbidden (RFC 9309, section 2.3.1.4)"},
		`{"url":"{site}/open"} 503 "User-agent: *\nDisallow: /closed\n" ""`: {"status 503",
			"nobody knows what is forbidden (RFC 9309, section 2.3.1.4)"},
	}
}

// TestAsReference checks that a page has at least the words, in order, the links, headings and cells of tables that
// the reference server shows (e2e/reference), that other texts are the same, character for character, and that what
// that refuses is refused, but for what is better.
func TestAsReference(t *testing.T) {
	content, err := os.ReadFile("testdata/reference.json")
	if err != nil {
		t.Fatal(err)
	}
	var all struct {
		Pages map[string]answer
		Calls []recorded
	}
	if err := json.Unmarshal(content, &all); err != nil {
		t.Fatal(err)
	}
	better := better()
	for _, r := range all.Calls {
		site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
			page, found := all.Pages[request.RequestURI]
			if request.RequestURI == "/robots.txt" && r.Robots != nil {
				page, found = *r.Robots, true
			}
			if !found {
				page.Status = http.StatusNotFound
			}
			page.ServeHTTP(w, request)
		}))
		given := maps.Clone(r.Arguments)
		if address, isText := given["url"].(string); isText {
			given["url"] = strings.ReplaceAll(address, "{site}", site.URL)
		}
		if r.isMarkdown() { // theirs has other lengths
			delete(given, "max_length")
			delete(given, "start_index")
		}
		text, refused := tooltest.New(t, New("0", true, reader)).Call("fetch", given)
		site.Close()
		text = strings.ReplaceAll(text, site.URL, "http://site")
		if ours, found := better[r.String()]; found {
			delete(better, r.String())
			if !strings.Contains(text, ours.says) {
				t.Errorf("%s: the text is %.200q; it should contain %q, since %s", r, text, ours.says, ours.why)
			}
		} else if problem := r.differs(text, refused); problem != "" {
			t.Errorf("%s: %s", r, problem)
		}
	}
	for r := range better {
		t.Errorf("there is no call %s", r)
	}
}

// isMarkdown reports whether the answer of the reference server is a page as Markdown.
func (r recorded) isMarkdown() bool { return strings.HasPrefix(r.Answer.Text, "Contents of") }

// differs returns what our answer lacks, or "".
func (r recorded) differs(text string, refused bool) string {
	wanted := strings.ReplaceAll(r.Answer.Text, "{site}", "http://site")
	if refused != (r.Answer.Refused != "") {
		return fmt.Sprintf("refused: %t, with %.200q; the reference server says %.200q, %.200q", refused, text, wanted,
			r.Answer.Refused)
	}
	if refused {
		return ""
	}
	_, wanted, _ = strings.Cut(wanted, "Contents of ")
	_, wanted, _ = strings.Cut(wanted, ":\n")
	wanted, _, cut := strings.Cut(wanted, "\n\n<error>Content truncated.")
	text, _, _ = strings.Cut(text, "\n[characters ")
	if !r.isMarkdown() {
		if text != wanted {
			return fmt.Sprintf("the text is %.300q; it should be %.300q", text, wanted)
		}
		return ""
	}
	at, err := url.Parse(strings.ReplaceAll(r.Arguments["url"].(string), "{site}", "http://site"))
	if err != nil {
		return err.Error()
	}
	if to := "/law/2026/links.html"; at.Path == "/moved" || at.Path == "/temporary" {
		at.Path = to
	}
	have, want := factsOf(text, at), factsOf(wanted, at)
	if cut { // within a word
		want.words = want.words[:len(want.words)-1]
	}
	if r.Arguments["start_index"] != nil {
		want.words = want.words[1:]
	}
	for _, one := range []struct {
		name       string
		want, have []string
	}{{"word", want.words, have.words}, {"link", want.links, have.links}, {"heading", want.headings, have.headings},
		{"row", want.rows, have.rows}} {
		if lost := missing(one.want, one.have); lost != "" {
			return fmt.Sprintf("the %s %q is missing\nwant %s\nhave %s", one.name, lost, wanted, text)
		}
	}
	return ""
}
