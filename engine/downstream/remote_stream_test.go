package downstream

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

func TestEvents(t *testing.T) {
	long := strings.Repeat("x", 10_000)
	for name, c := range map[string]struct {
		text   string
		want   []string
		lastID string
		retry  time.Duration
	}{
		"plain":                  {"data: a\n\ndata:b\n\n", []string{"a", "b"}, "", 0},
		"other ends of lines":    {"event: message\r\ndata: a\r\nid: 1\r\n\r\n", []string{"a"}, "1", 0},
		"the oldest ends":        {"event: message\rdata: a\rdata: b\rid: 1\r\rdata: c\r\r", []string{"a\nb", "c"}, "1", 0},
		"all ends mixed":         {"data: a\r\n\ndata: b\r\rdata: c\n\r\n", []string{"a", "b", "c"}, "", 0},
		"a mark at the start":    {"\ufeffdata: a\n\n", []string{"a"}, "", 0},
		"several lines":          {"data: a\ndata:\ndata:  b\n\n", []string{"a\n\n b"}, "", 0},
		"comments and no data":   {": x\n\nid: 7\nretry: 20\n\nretry: 20ms\nodd\n\n", nil, "7", 20 * time.Millisecond},
		"another name":           {"event: ping\ndata: a\n\ndata: b\n\n", []string{"b"}, "", 0},
		"an end without a line":  {"id: 1\ndata: a\n\nid: 2\ndata: b", []string{"a", "b"}, "1", 0},
		"an end without an end":  {"id: 1\ndata: a\n\nid: 2\ndata: b\n", []string{"a", "b"}, "1", 0},
		"an id that is no id":    {"id: 1\n\nid: a\x00b\ndata: a\n\n", []string{"a"}, "1", 0},
		"an id that is given up": {"id: 1\n\nid\ndata: a\n\n", []string{"a"}, "", 0},
		"a long line":            {"data: " + long + "\n\n", []string{long}, "", 0},
		"no pause at all":        {"retry: 0\ndata: a\n\n", []string{"a"}, "", minRetryTime},
		"nothing":                {"", nil, "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			stream := events{in: bufio.NewReaderSize(strings.NewReader(c.text), 64)}
			var got []string
			for {
				_, data, err := stream.next()
				if err != nil {
					if err != io.EOF {
						t.Error(err)
					}
					break
				}
				got = append(got, string(data))
			}
			if diff := cmp.Diff(c.want, got); diff != "" || stream.lastID != c.lastID || stream.retry != c.retry {
				t.Errorf("last id %q, pause %v (-want +got)\n%s", stream.lastID, stream.retry, diff)
			}
		})
	}
}

// TestRemoteStreamsThatCannotBeUsed: an SSE server must say where it takes messages, within limits.
func TestRemoteStreamsThatCannotBeUsed(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want string
	}{
		"no address": {"event: endpoint\ndata: http://[\n\n", "missing ']' in host"},
		"none":       {"data: {}\n\n", "does not say where it takes messages"},
		"too much":   {"data: " + strings.Repeat("x", 2<<20), "larger than 1 MiB"},
	} {
		t.Run(name, func(t *testing.T) {
			o := remoteOptions(config.TransportSSE, answering(t, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "text/event-stream")
				fmt.Fprint(w, strings.ReplaceAll(c.text, "$HOST", r.Host))
			}))
			o.MaxMessage = 1 << 20
			if _, err := Connect(t.Context(), o); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("the error is %v, want %s", err, c.want)
			}
		})
	}
}

// TestRemoteMessagesStayAtItsServer: messages go to the host of an SSE server's stream only, also if the server calls
// itself by another name, as servers in containers and behind proxies do.
func TestRemoteMessagesStayAtItsServer(t *testing.T) {
	for _, posts := range []string{"http://0.0.0.0:3001/messages?s=1", "//other.invalid/messages?s=1",
		"http://127.0.0.1:1/messages?s=1", "https://$HOST/messages?s=1", "ftp:///messages?s=1"} {
		a := &asker{posts: posts, lines: make(chan string), ended: make(chan struct{})}
		address := strings.TrimSuffix(answering(t, func(w http.ResponseWriter, r *http.Request) {
			if r.UserAgent() != "workbench-desktop" || r.URL.Path == "/messages" && r.URL.RawQuery != "s=1" {
				t.Errorf("%q asks for %s", r.UserAgent(), r.URL)
			}
			a.ServeHTTP(w, r)
		}), "/mcp")
		t.Cleanup(func() { close(a.ended) })
		if s := connect(t, remoteOptions(config.TransportSSE, address+"/sse")); names(s) != "t" {
			t.Errorf("%s: the tools are %s", posts, names(s))
		}
	}
}

// TestEventsEndWithCR: an event counts when its last line has ended, even if that is with \r, which \n may
// follow at any later time.
func TestEventsEndWithCR(t *testing.T) {
	reader, writer := io.Pipe()
	defer writer.Close()
	stream := events{in: bufio.NewReader(reader)}
	go fmt.Fprint(writer, "data: a\r\r") //nolint:errcheck // a failure shows below
	if _, data, err := stream.next(); string(data) != "a" || err != nil {
		t.Fatalf("the event is %q, %v", data, err)
	}
	go fmt.Fprint(writer, "\ndata: b\r\n\r") //nolint:errcheck // a failure shows below
	if _, data, err := stream.next(); string(data) != "b" || err != nil {
		t.Fatalf("the next event is %q, %v", data, err)
	}
}

// TestLongStreamsOfAnyEnds: the limit is for each message of a stream, whatever its lines end with.
func TestLongStreamsOfAnyEnds(t *testing.T) {
	for _, end := range []string{"\n", "\r\n", "\r"} {
		event := "data: " + strings.Repeat("x", 50) + end + end
		body := &cappedBody{ReadCloser: io.NopCloser(strings.NewReader(strings.Repeat(event, 10))), limit: 100, stream: true,
			note: &note{}}
		if _, err := io.ReadAll(body); err != nil {
			t.Errorf("lines that end with %q: %v", end, err)
		}
		body = &cappedBody{ReadCloser: io.NopCloser(strings.NewReader(strings.Repeat("data: x"+end, 50))), limit: 100,
			stream: true, note: &note{}}
		if _, err := io.ReadAll(body); !errors.Is(err, ErrTooLarge) {
			t.Errorf("one message whose lines end with %q: %v", end, err)
		}
	}
}

// FuzzEvents: any split of a stream into reads gives the same events.
func FuzzEvents(f *testing.F) {
	f.Add("event: message\r\ndata: a\r\rid: 1\n\n", uint8(3))
	f.Add("\r\n\r\ndata\r\n\r", uint8(1))
	f.Fuzz(func(t *testing.T, text string, size uint8) {
		read := func(in io.Reader) (all []string) {
			stream := events{in: bufio.NewReaderSize(in, 16)}
			for {
				name, data, err := stream.next()
				if err != nil {
					return append(all, stream.lastID)
				}
				all = append(all, name, string(data))
			}
		}
		whole := read(strings.NewReader(text))
		if parts := read(&inParts{text: text, size: int(size) + 1}); !slices.Equal(whole, parts) {
			t.Errorf("whole: %q, in parts: %q", whole, parts)
		}
	})
}

// inParts is a reader of parts of a size.
type inParts struct {
	text string
	size int
}

func (r *inParts) Read(p []byte) (int, error) {
	if r.text == "" {
		return 0, io.EOF
	}
	n := copy(p, r.text[:min(len(r.text), r.size)])
	r.text = r.text[n:]
	return n, nil
}

// TestRemoteResumesPatiently: a stream that ended before the answer is requested again when the server
// refuses that for a moment, and the call itself never.
func TestRemoteResumesPatiently(t *testing.T) {
	for name, c := range map[string]struct {
		refusals []int // of requests for the rest of the stream
		want     string
	}{
		"at once": {nil, ""}, "busy": {[]int{503, 429}, ""}, "no such stream": {[]int{405}, "HTTP status 405"},
		"no such event": {[]int{400}, "HTTP status 400"},
	} {
		t.Run(name, func(t *testing.T) {
			var calls, asked atomic.Int64
			inner := scripted(map[string]func(http.ResponseWriter,
				json.RawMessage){"tools/call": func(w http.ResponseWriter, id json.RawMessage) {
				calls.Add(1)
				w.Header().Set("Content-Type", "text/event-stream")
				fmt.Fprintf(w, "id: %s\nretry: 1\ndata:\n\n", id)
			}})
			s := connect(t, remoteOptions(config.TransportHTTP, answering(t, func(w http.ResponseWriter, r *http.Request) {
				last := r.Header.Get("Last-Event-ID")
				if r.Method != http.MethodGet || last == "" {
					inner(w, r)
					return
				}
				if n := int(asked.Add(1)); n <= len(c.refusals) {
					w.WriteHeader(c.refusals[n-1])
					return
				}
				w.Header().Set("Content-Type", "text/event-stream")
				fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"content\":[]}}\n\n", last)
			})))
			_, err := s.Call(t.Context(), Call{Tool: "t"})
			if c.want == "" && err != nil || c.want != "" &&
				(err == nil || !strings.Contains(err.Error(), c.want) || errors.Is(err, ErrNotRun)) {
				t.Errorf("the call gave %v", err)
			}
			if calls.Load() != 1 {
				t.Errorf("the call was made %d times", calls.Load())
			}
		})
	}
}
