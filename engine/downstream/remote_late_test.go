package downstream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

// accepting is a server that accepts calls with 202. It answers them on the session's stream, ends that stream
// instead, or has none.
func accepting(t *testing.T, stream string) string {
	answers := make(chan string, 16)
	return answering(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			if stream == "none" {
				w.WriteHeader(http.StatusMethodNotAllowed)
				return
			}
			w.Header().Set("Content-Type", "text/event-stream")
			w.(http.Flusher).Flush()
			for {
				select {
				case line := <-answers:
					if stream == "ends" {
						return
					}
					fmt.Fprintf(w, "data: %s\n\n", line)
					w.(http.Flusher).Flush()
				case <-r.Context().Done():
					return
				}
			}
		}
		body, _ := io.ReadAll(r.Body)
		message, err := jsonrpc.Parse(body)
		if err != nil || message.Method != "tools/call" {
			r.Body = io.NopCloser(strings.NewReader(string(body)))
			scripted(nil)(w, r)
			return
		}
		w.WriteHeader(http.StatusAccepted)
		answers <- fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"content":[],"late":true}}`, message.ID)
	})
}

// TestAnswerOnTheSessionsStream: some servers accept a request with 202 and send its answer on the session's stream,
// as servers of the older transport do. A call waits for it as long as it can come.
func TestAnswerOnTheSessionsStream(t *testing.T) {
	for stream, want := range map[string]string{"answers": "", "ends": "without answering", "none": "without answering"} {
		t.Run(stream, func(t *testing.T) {
			s := connect(t, remoteOptions(config.TransportHTTP, accepting(t, stream)))
			for range 3 {
				ctx, cancel := context.WithTimeout(t.Context(), patience)
				result, err := s.Call(ctx, Call{Tool: "t"})
				cancel()
				switch {
				case want == "" && (err != nil || whole(result) != `{"content":[],"late":true}`):
					t.Errorf("the result is %s, %v", result, err)
				case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
					t.Errorf("the error is %v", err)
				}
				if stream == "ends" {
					return // the next one waits until the stream is requested again
				}
			}
		})
	}
}

// TestRetryAfter: the reason why a server refuses a request says when it takes requests again, if the server says so.
func TestRetryAfter(t *testing.T) {
	now := time.Now()
	for value, says := range map[string]bool{
		"90": true, " 90 ": true, now.Add(48 * time.Hour).UTC().Format(http.TimeFormat): true, "": false, "0": false,
		"-5": false, "soon": false, "99999999999999": false, "Wed, 21 Oct 2015 07:28:00 GMT": false, "1.5": false,
	} {
		t.Run(value, func(t *testing.T) {
			limited := false
			s := connect(t, remoteOptions(config.TransportHTTP, answering(t,
				scripted(map[string]func(http.ResponseWriter, json.RawMessage){
					"tools/call": func(w http.ResponseWriter, _ json.RawMessage) {
						limited = true
						w.Header().Set("Retry-After", value)
						http.Error(w, "slow down", http.StatusTooManyRequests)
					},
				}))))
			_, err := s.Call(t.Context(), Call{Tool: "t"})
			if err == nil || !limited || strings.Contains(err.Error(), "it takes requests again from") != says ||
				!strings.Contains(err.Error(), "429 (Too Many Requests)") || !strings.Contains(err.Error(), "slow down") {
				t.Errorf("the error is %v", err)
			}
			if says && errors.Is(err, ErrStopped) {
				t.Errorf("the session has ended: %v", err)
			}
		})
	}
	at := again("90", now)
	if at == nil || at.Sub(now) != 90*time.Second {
		t.Errorf("90 seconds from %v are %v", now, at)
	}
}
