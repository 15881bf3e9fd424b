// Package model is an imitation of a language model. It speaks the protocols that AI coding agents use:
// Anthropic messages, OpenAI chat completions and responses, and Gemini, each with and without streaming. A
// script determines its answers.
package model

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
)

// maxRequest is the largest request in bytes.
const maxRequest = 64 << 20

// Request is the request of an agent, in the same form for each protocol.
type Request struct {
	Protocol string // "anthropic", "chat", "responses" or "gemini"
	Model    string
	Stream   bool
	JSON     bool   // the agent wants a JSON document, as for its own internal questions
	System   string // everything that the model is told outside the conversation
	Tools    []Tool
	Turns    []Turn
	Raw      json.RawMessage
	Number   int // of the request, from 1; ids in the answer are made from it
}

// Tool is a tool that the agent offers.
type Tool struct {
	Name        string
	Namespace   string // of the responses protocol; a call repeats it
	About       string // the protocol's description of the namespace
	Description string
	Parameters  json.RawMessage
	Deferred    bool // the model sees only the name until it has searched for it
	Search      bool // a search that is a kind of its own in the responses protocol
}

// Turn is a piece of the conversation: a text, a call that the model made, or the result of one.
type Turn struct {
	Role   string // "user" or "assistant"
	Text   string
	Call   *Call
	Result *Result
}

// Call is a call that the model makes.
type Call struct {
	ID        string
	Name      string
	Namespace string
	Arguments json.RawMessage // an object
	Search    bool
}

// Result is the part of a call's result that the agent shows the model. Tools are those that a search has
// found.
type Result struct {
	ID    string
	Text  string
	Tools []Tool
}

// Reply is the model's answer: a text, calls, or both.
type Reply struct {
	Text  string
	Calls []Call
}

// Script determines the model's answers. It is called for one request at a time.
type Script func(Request) Reply

// protocol says how one API is read and written. tokens is the path of its function to count tokens.
type protocol struct {
	name  string
	read  func(*http.Request, []byte) (Request, error)
	write func(Request, Reply) any // the answer in one piece
	// stream returns the events in order. An event with a name is sent with it.
	stream func(Request, Reply) []event
}

type event struct {
	name string
	data any // a string is sent as it is
}

// Handler serves the script over all protocols, which are distinguished by path.
func Handler(script Script) http.Handler {
	s := &server{script: script}
	mux := http.NewServeMux()
	for _, p := range []struct {
		suffix string
		protocol
	}{
		{"/messages", anthropic()},
		{"/chat/completions", chat()},
		{"/responses", responses()},
		{":generateContent", gemini()},
		{":streamGenerateContent", gemini()},
	} {
		s.protocols = append(s.protocols, route{p.suffix, p.protocol})
	}
	mux.HandleFunc("POST /", s.post)
	mux.HandleFunc("GET /", s.get)
	return mux
}

type route struct {
	suffix string
	protocol
}

type server struct {
	protocols []route
	mu        sync.Mutex
	script    Script
	requests  int
}

func (s *server) get(w http.ResponseWriter, r *http.Request) {
	if strings.HasSuffix(r.URL.Path, "/models") {
		answer(w, map[string]any{"object": "list", "data": []any{map[string]any{"id": "mock", "object": "model"}}})
		return
	}
	http.NotFound(w, r)
}

func (s *server) post(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxRequest))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	switch {
	case strings.HasSuffix(r.URL.Path, "/count_tokens"):
		answer(w, map[string]int{"input_tokens": len(body) / 4})
		return
	case strings.HasSuffix(r.URL.Path, ":countTokens"):
		answer(w, map[string]int{"totalTokens": len(body) / 4})
		return
	}
	for _, p := range s.protocols {
		if !strings.HasSuffix(r.URL.Path, p.suffix) {
			continue
		}
		request, err := p.read(r, body)
		if err != nil {
			http.Error(w, fmt.Sprintf("the pretend model cannot read this %s request: %v", p.name, err), http.StatusBadRequest)
			return
		}
		request.Protocol, request.Raw = p.name, body
		s.mu.Lock()
		s.requests++
		request.Number = s.requests
		reply := s.script(request)
		s.mu.Unlock()
		if !request.Stream {
			answer(w, p.write(request, reply))
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		for _, e := range p.stream(request, reply) {
			if e.name != "" {
				fmt.Fprintf(w, "event: %s\n", e.name)
			}
			text, isText := e.data.(string)
			if !isText {
				text = string(encode(e.data))
			}
			fmt.Fprintf(w, "data: %s\n\n", text)
			if f, ok := w.(http.Flusher); ok {
				f.Flush()
			}
		}
		return
	}
	http.NotFound(w, r)
}

func answer(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(encode(v)) // the agent is gone
}

func encode(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // only values of our own
	}
	return b
}

// object returns arguments as an object, which models always send.
func object(arguments json.RawMessage) json.RawMessage {
	if len(arguments) == 0 {
		return json.RawMessage("{}")
	}
	return arguments
}

// texts returns the text of content that is a string, or a list of parts with a text.
func texts(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	var parts []struct {
		Text    string          `json:"text"`
		Content json.RawMessage `json:"content"`
	}
	if json.Unmarshal(raw, &parts) != nil {
		return string(raw)
	}
	var b strings.Builder
	for _, part := range parts {
		b.WriteString(part.Text)
	}
	return b.String()
}
