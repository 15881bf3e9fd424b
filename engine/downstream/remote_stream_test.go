package downstream

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"strings"
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

// TestRemoteStreamsThatCannotBeUsed: an SSE server must not redirect our messages to another host, nor make
// us wait for its own.
func TestRemoteStreamsThatCannotBeUsed(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want string
	}{
		"another place":  {"event: endpoint\ndata: http://other.invalid/messages\n\n", "at another address"},
		"without scheme": {"event: endpoint\ndata: //other.invalid/messages\n\n", "at another address"},
		"another port":   {"event: endpoint\ndata: http://127.0.0.1:1/messages\n\n", "at another address"},
		"encrypted":      {"event: endpoint\ndata: https:messages\n\n", "at another address"},
		"another scheme": {"event: endpoint\ndata: ftp:///messages\n\n", "at another address"},
		"none":           {"data: {}\n\n", "does not say where it takes messages"},
		"too much":       {"data: " + strings.Repeat("x", 2<<20), "larger than 1 MiB"},
	} {
		t.Run(name, func(t *testing.T) {
			o := remoteOptions(config.TransportSSE, answering(t, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "text/event-stream")
				fmt.Fprint(w, c.text)
			}))
			o.MaxMessage = 1 << 20
			if _, err := Connect(t.Context(), o); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("the error is %v, want %s", err, c.want)
			}
		})
	}
}
