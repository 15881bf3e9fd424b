package toolbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/contract"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// person is a person who answers questions.
type person struct {
	mu     sync.Mutex
	asked  []status.Question
	answer func(ctx context.Context, q status.Question) (status.Answer, error)
}

func says(answer status.Answer) *person {
	return &person{answer: func(context.Context, status.Question) (status.Answer, error) { return answer, nil }}
}

func (p *person) ask(ctx context.Context, q status.Question) (status.Answer, error) {
	p.mu.Lock()
	p.asked = append(p.asked, q)
	p.mu.Unlock()
	return p.answer(ctx, q)
}

func (p *person) times() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.asked)
}

// annotated returns a tool with annotations.
func annotated(name, annotations string) json.RawMessage {
	return json.RawMessage(`{"name":"` + name + `","title":"The ` + name +
		`","inputSchema":{"type":"object","properties":{}},"annotations":` + annotations + `}`)
}

// hinted returns tools with all kinds of annotations, and whether a call of each one waits for a person.
func hinted() (tools []json.RawMessage, waits map[string]bool) {
	waits = map[string]bool{"plain": true}
	tools = append(tools, fakeserver.Tool("plain"))
	for name, about := range map[string]struct {
		annotations string
		waits       bool
	}{
		"reads":          {`{"readOnlyHint":true}`, false},
		"reads_only":     {`{"destructiveHint":false,"readOnlyHint":true}`, false},
		"writes":         {`{"readOnlyHint":false}`, true},
		"harmless":       {`{"destructiveHint":false}`, true},
		"destroys":       {`{"destructiveHint":true}`, true},
		"contradictory":  {`{"readOnlyHint":true,"destructiveHint":true}`, true},
		"text":           {`{"readOnlyHint":"true"}`, true}, // a guess does not decide it
		"both_text":      {`{"readOnlyHint":true,"destructiveHint":"true"}`, true},
		"says_something": {`{"title":"x"}`, true},
	} {
		tools = append(tools, annotated(name, about.annotations))
		waits[name] = about.waits
	}
	return tools, waits
}

func asking(server *config.Server) *config.Server {
	server.AskFirst = true
	return server
}

// refusal checks that a call was not made, and the reason.
func refusal(t *testing.T, err error, why string) {
	t.Helper()
	var failure *Error
	if !errors.As(err, &failure) || failure.Code != contract.Unavailable || !strings.Contains(failure.Sentence, why) {
		t.Errorf("got %v, want %q", err, why)
	}
}

func TestWhichToolsWait(t *testing.T) {
	tools, waits := hinted()
	p := says(status.AllowOnce)
	m := newManager(t, oneToolbox("dev", asking(fake("s", fakeserver.Script{Tools: tools})),
		fake("quiet", fakeserver.Script{Tools: tools})), Options{Ask: p.ask})
	open(t, m, "dev")
	for tool, wait := range waits {
		before := p.times()
		id := ToolID{"dev", "s", tool}
		if _, err := m.Call(t.Context(), id, downstream.Call{}); err != nil {
			t.Errorf("%s: %v", tool, err)
		}
		if asked := p.times() > before; asked != wait {
			t.Errorf("the person was asked for %s: %v", tool, asked)
		}
	}
	before := p.times()
	if _, err := m.Call(t.Context(), ToolID{"dev", "quiet", "plain"}, downstream.Call{}); err != nil ||
		p.times() > before {
		t.Errorf("a server that asks nothing: %v, asked %d times", err, p.times()-before)
	}
}

// If another program removes the switch from the file, the question is still asked.
func TestUnapprovedChangeStillAsks(t *testing.T) {
	tools, _ := hinted()
	p := says(status.AllowOnce)
	approve := func(_ context.Context, _ string, entry *config.Server) error {
		if entry.AskFirst {
			return nil
		}
		return errors.New("not approved")
	}
	m := newManager(t, oneToolbox("dev", asking(fake("s", fakeserver.Script{Tools: tools}))),
		Options{Ask: p.ask, Approve: approve})
	open(t, m, "dev")
	m.SetConfig(oneToolbox("dev", fake("s", fakeserver.Script{Tools: tools})))
	id := ToolID{"dev", "s", "destroys"}
	if _, err := m.Call(t.Context(), id, downstream.Call{}); err != nil || p.times() != 1 {
		t.Errorf("%v, asked %d times", err, p.times())
	}
}

// If another program adds the switch to the file, the question is asked at once, although nobody has approved that.
func TestUnapprovedSwitchAsks(t *testing.T) {
	tools, _ := hinted()
	p := says(status.AllowOnce)
	approve := func(_ context.Context, _ string, entry *config.Server) error {
		if entry.AskFirst {
			return errors.New("not approved")
		}
		return nil
	}
	m := newManager(t, oneToolbox("dev", fake("s", fakeserver.Script{Tools: tools})),
		Options{Ask: p.ask, Approve: approve})
	open(t, m, "dev")
	m.SetConfig(oneToolbox("dev", asking(fake("s", fakeserver.Script{Tools: tools}))))
	if _, err := m.Call(t.Context(), ToolID{"dev", "s", "destroys"}, downstream.Call{}); err != nil || p.times() != 1 {
		t.Errorf("%v, asked %d times", err, p.times())
	}
}

// TestSwitchedOffAgainStillAsks: the entry with which a server was started does not count if asking was
// approved later.
func TestSwitchedOffAgainStillAsks(t *testing.T) {
	p := says(status.AllowOnce)
	quiet := oneToolbox("dev", fake("s", fakeserver.Script{}))
	approved := false
	m := newManager(t, quiet, Options{Ask: p.ask, Approve: func(_ context.Context, _ string, entry *config.Server) error {
		if entry.AskFirst == approved {
			return nil
		}
		return errors.New("not approved")
	}})
	open(t, m, "dev")
	id := ToolID{"dev", "s", "echo"}
	approved = true
	for i := range 2 {
		m.SetConfig(oneToolbox("dev", asking(fake("s", fakeserver.Script{}))))
		m.SetConfig(quiet)
		if _, err := m.Call(t.Context(), id, downstream.Call{}); err != nil || p.times() != i+1 {
			t.Errorf("%v, asked %d times", err, p.times())
		}
	}
	if s := m.Status().Servers[0]; !s.Waits || s.State != status.Connected {
		t.Errorf("%+v", s)
	}
	// When the server ends, it is restarted with the approved entry.
	if err := m.Restart(t.Context(), "dev", "s"); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Call(t.Context(), id, downstream.Call{}); err != nil || p.times() != 3 {
		t.Errorf("%v, asked %d times", err, p.times())
	}
	approved = false
	m.Reconsider()
	if _, err := m.Call(t.Context(), id, downstream.Call{}); err != nil || p.times() != 3 {
		t.Errorf("once approved: %v, asked %d times", err, p.times())
	}
}

func TestCallsThatAreNotAllowed(t *testing.T) {
	log := filepath.Join(t.TempDir(), "calls")
	config := oneToolbox("dev", asking(fake("s", fakeserver.Script{CallLog: log})))
	id := ToolID{"dev", "s", "echo"}
	deep := json.RawMessage(strings.Repeat(`[`, 40) + strings.Repeat(`]`, 40))
	for why, about := range map[string]struct {
		ask       func(context.Context, status.Question) (status.Answer, error)
		arguments json.RawMessage
	}{
		"the user has refused this call": {ask: says(status.Refuse).ask},
		"refused this call; do not":      {ask: says("something else").ask},
		"nobody can be asked":            {},
		"no app is there": {ask: func(context.Context, status.Question) (status.Answer, error) {
			return "", errors.New("no app is there")
		}},
		"too large to be shown": {ask: says(status.AllowOnce).ask,
			arguments: json.RawMessage(`"` + strings.Repeat("x", maxAskedBytes) + `"`)},
		"nested too deeply": {ask: says(status.AllowOnce).ask, arguments: json.RawMessage(`{"a":` + string(deep) + `}`)},
		"did not answer in Workbench within": {ask: func(ctx context.Context, _ status.Question) (status.Answer, error) {
			<-ctx.Done()
			return "", ctx.Err()
		}},
	} {
		m := newManager(t, config, Options{Ask: about.ask})
		open(t, m, "dev")
		m.permissions.limit = 50 * time.Millisecond // from now on the person has this time
		_, err := m.Call(t.Context(), id, downstream.Call{Arguments: about.arguments})
		refusal(t, err, why)
		refusal(t, err, "the user is asked first")
	}
	if sent, err := os.ReadFile(log); err == nil {
		t.Errorf("the server was called: %s", sent)
	}
}

// The time limit of the server's calls is also the person's time limit.
func TestTimeToAnswerIsThatOfTheCall(t *testing.T) {
	limit := 7 * time.Minute
	server := asking(fake("s", fakeserver.Script{}))
	server.CallTimeout = &limit
	p := says(status.AllowOnce)
	m := newManager(t, oneToolbox("dev", server), Options{Ask: p.ask})
	if _, err := m.Call(t.Context(), ToolID{"dev", "s", "echo"}, downstream.Call{}); err != nil {
		t.Fatal(err)
	}
	if left := time.Until(p.asked[0].Until); left > limit || left < limit-time.Minute {
		t.Errorf("%v are left", left)
	}
}

func TestTheClientTakesTheQuestionBack(t *testing.T) {
	asked, taken := make(chan struct{}), make(chan struct{})
	m := newManager(t, oneToolbox("dev", asking(fake("s", fakeserver.Script{}))),
		Options{Ask: func(ctx context.Context, _ status.Question) (status.Answer, error) {
			close(asked)
			<-ctx.Done()
			close(taken)
			return "", ctx.Err()
		}})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := m.Call(ctx, ToolID{"dev", "s", "echo"}, downstream.Call{})
		ended <- err
	}()
	<-asked
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	<-taken
}

// While the person decides, the server is not locked: it can be closed, and the call then starts it again.
func TestServerMayGoWhileThePersonThinks(t *testing.T) {
	asked, answer := make(chan struct{}, 10), make(chan status.Answer)
	m := newManager(t, oneToolbox("dev", asking(fake("s", fakeserver.Script{}))),
		Options{Ask: func(context.Context, status.Question) (status.Answer, error) {
			asked <- struct{}{}
			return <-answer, nil
		}})
	ended := make(chan error, 1)
	call := func() {
		_, err := m.Call(t.Context(), ToolID{"dev", "s", "echo"}, downstream.Call{})
		ended <- err
	}
	go call()
	<-asked
	if _, _, err := m.Close(t.Context(), "dev"); err != nil {
		t.Fatal(err)
	}
	answer <- status.AllowOnce
	if err := <-ended; err != nil || len(asked) > 0 {
		t.Errorf("%v, asked again: %v", err, len(asked) > 0)
	}

	// A server whose entry has changed counts as another server.
	go call()
	<-asked
	m.SetConfig(oneToolbox("dev", asking(fake("s", fakeserver.Script{Name: "another"}))))
	answer <- status.AllowOnce
	<-asked
	answer <- status.Refuse
	refusal(t, <-ended, "refused")
}

func TestProgressWhileThePersonIsAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := NewManager(oneToolbox("dev"), Options{Ask: func(context.Context, status.Question) (status.Answer, error) {
			time.Sleep(2*waitingInterval + time.Second)
			return status.AllowOnce, nil
		}})
		var told []float64
		_, err := m.permissions.awaitPerson(t.Context(), status.Question{}, func(params json.RawMessage) {
			var progress struct {
				Progress float64
				Message  string
			}
			if err := json.Unmarshal(params, &progress); err != nil || progress.Message == "" {
				t.Errorf("%s: %v", params, err)
			}
			told = append(told, progress.Progress)
		})
		if got := fmt.Sprint(told); err != nil || got != "[-1 -0.5 -0.3333333333333333]" {
			t.Errorf("%s, %v", got, err)
		}
		m.Shutdown(t.Context())
	})
}

func TestShutdownEndsQuestions(t *testing.T) {
	asked := make(chan struct{})
	m := newManager(t, oneToolbox("dev", asking(fake("s", fakeserver.Script{}))),
		Options{Ask: func(ctx context.Context, _ status.Question) (status.Answer, error) {
			close(asked)
			<-ctx.Done()
			return "", ctx.Err()
		}})
	ended := make(chan error, 1)
	go func() {
		_, err := m.Call(t.Context(), ToolID{"dev", "s", "echo"}, downstream.Call{})
		ended <- err
	}()
	<-asked
	m.Shutdown(t.Context())
	refusal(t, <-ended, "shutting down")
}

// A call that the person refuses, or does not answer, is no failure of the server, and the time that the person takes
// is not the server's.
func TestThePersonsTimeAndAnswerAreNotTheServers(t *testing.T) {
	answers := map[string]func(context.Context) (status.Answer, error){
		"echo": func(ctx context.Context) (status.Answer, error) {
			<-ctx.Done() // at the last moment
			return status.AllowOnce, nil
		},
		"no": func(context.Context) (status.Answer, error) { return status.Refuse, nil },
		"late": func(ctx context.Context) (status.Answer, error) {
			<-ctx.Done()
			return "", ctx.Err()
		},
	}
	const limit = 250 * time.Millisecond
	var mu sync.Mutex
	counted, ended, all := map[string]time.Duration{}, map[string]status.Call{}, map[string]time.Duration{}
	described := json.RawMessage(`{"name":"echo","description":"Says it again, e.g. aloud. And more.",` +
		`"inputSchema":{"type":"object"}}`)
	p := &person{answer: func(ctx context.Context, q status.Question) (status.Answer, error) {
		return answers[q.Tool](ctx)
	}}
	m := newManager(t, oneToolbox("dev", asking(fake("s", fakeserver.Script{
		Tools: []json.RawMessage{described, fakeserver.Tool("no"), fakeserver.Tool("late")}}))),
		Options{Answering: limit, Ask: p.ask,
			Called: func(id ToolID, took time.Duration, _ bool) {
				mu.Lock()
				defer mu.Unlock()
				counted[id.Tool] = took
			}})
	open(t, m, "dev")
	told := make(chan struct{})
	defer m.Watch(nil, func(call status.Call) {
		mu.Lock()
		defer mu.Unlock()
		if call.Outcome != status.Running {
			ended[call.Tool] = call
		}
		if len(ended) == len(answers) {
			close(told)
		}
	})()
	for tool := range answers {
		begun := time.Now()
		_, _ = m.Call(t.Context(), ToolID{"dev", "s", tool}, downstream.Call{}) // the outcomes say how they ended
		all[tool] = time.Since(begun)
	}
	<-told
	mu.Lock()
	defer mu.Unlock()
	if ended["echo"].Outcome != status.Done || ended["no"].Outcome != status.Refused ||
		ended["late"].Outcome != status.Unanswered {
		t.Errorf("the calls ended as %+v", ended)
	}
	servers := all["echo"] - limit/2 // the timer of the limit begins a little before the wait
	if took, ok := counted["echo"]; len(counted) != 1 || !ok || took > servers || ended["echo"].Duration > servers {
		t.Errorf("counted is %v, and it took %v of %v", counted, ended["echo"].Duration, all["echo"])
	}
	for _, q := range p.asked {
		if want := "Says it again, e.g. aloud."; q.Tool == "echo" && q.Says != want {
			t.Errorf("it says %q", q.Says)
		}
	}
}
