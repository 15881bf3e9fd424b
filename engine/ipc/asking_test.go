package ipc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// questions starts an app that can ask, and returns the questions that it gets.
func questions(t *testing.T, at string) (*Hub, <-chan *Asked, func()) {
	t.Helper()
	asked := make(chan *Asked, 100)
	h, stop := startHub(t, HubOptions{Endpoint: at, OnAsk: func(q *Asked) { asked <- q }})
	return h, asked, stop
}

// askSoon asks in the background, and returns the outcome on a channel.
func askSoon(ctx context.Context, a *Agent, q status.Question) <-chan string {
	outcome := make(chan string, 1)
	go func() {
		answer, err := a.Ask(ctx, q)
		outcome <- fmt.Sprint(answer, " ", err)
	}()
	return outcome
}

func TestQuestionsReachThePerson(t *testing.T) {
	at := endpoint(t)
	_, asked, stopHub := questions(t, at)
	agent, _ := startAgent(t, at, newEngine())
	agent.SetClient("Claude", "4")
	until := time.Now().Add(time.Minute).Truncate(time.Millisecond)
	// The arguments have the greatest length, and their characters the longest encoding.
	arguments := json.RawMessage(`"` + strings.Repeat("<", 1<<20) + `"`)
	outcome := askSoon(t.Context(), agent,
		status.Question{Toolbox: "dev", Server: "s", Tool: "x", Destructive: true, Arguments: arguments, Until: until})
	q := <-asked
	var text string
	if err := json.Unmarshal(q.Arguments, &text); err != nil || len(text) != 1<<20 {
		t.Errorf("%d bytes of arguments, %v", len(text), err)
	}
	if q.Toolbox != "dev" || q.Server != "s" || q.Tool != "x" || !q.Destructive || !q.Until.Equal(until) ||
		q.Context().Err() != nil {
		t.Errorf("%+v", q.Question)
	}
	q.Answer(status.AllowHour)
	q.Answer(status.Refuse) // comes too late
	if got := <-outcome; got != "hour <nil>" {
		t.Errorf("got %s", got)
	}
	<-q.Context().Done()

	// Several questions wait at the same time, and are answered in any order.
	first, second := askSoon(t.Context(), agent, status.Question{Tool: "1"}),
		askSoon(t.Context(), agent, status.Question{Tool: "2"})
	one, two := <-asked, <-asked
	if one.Tool == "2" {
		one, two = two, one
	}
	two.Answer(status.Refuse)
	one.Answer(status.AllowOnce)
	if one, two := <-first, <-second; one != "once <nil>" || two != "refuse <nil>" {
		t.Errorf("got %s, %s", one, two)
	}

	// A question for which nobody waits is withdrawn.
	ctx, cancel := context.WithCancel(t.Context())
	outcome = askSoon(ctx, agent, status.Question{})
	q = <-asked
	cancel()
	<-q.Context().Done()
	if got := <-outcome; got != " context canceled" {
		t.Errorf("got %s", got)
	}
	q.Answer(status.AllowOnce)

	// The end of the app ends its questions.
	outcome = askSoon(t.Context(), agent, status.Question{})
	q = <-asked
	stopHub()
	<-q.Context().Done()
	if got := <-outcome; got != " "+ErrAskLost.Error() {
		t.Errorf("got %s", got)
	}
}

func TestQuestionsEndWithTheEngine(t *testing.T) {
	at := endpoint(t)
	_, asked, _ := questions(t, at)
	agent, stop := startAgent(t, at, newEngine())
	outcome := askSoon(t.Context(), agent, status.Question{})
	q := <-asked
	stop()
	<-q.Context().Done()
	if got := <-outcome; got != " "+ErrAskLost.Error() {
		t.Errorf("got %s", got)
	}
}

func TestNobodyCanBeAsked(t *testing.T) {
	at := endpoint(t)
	agent, _ := startAgent(t, at, newEngine())
	begun := time.Now()
	if _, err := agent.Ask(t.Context(), status.Question{}); !errors.Is(err, ErrCannotAsk) ||
		time.Since(begun) < askGrace {
		t.Errorf("without an app: %v after %v", err, time.Since(begun))
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if _, err := agent.Ask(ctx, status.Question{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}

	// An older app does not declare that it can ask.
	startHub(t, HubOptions{Endpoint: at})
	eventually(t, func() error {
		agent.asking.mu.Lock()
		defer agent.asking.mu.Unlock()
		if !agent.asking.old {
			return errors.New("the app was not met")
		}
		return nil
	})
	begun = time.Now()
	if _, err := agent.Ask(t.Context(), status.Question{}); !errors.Is(err, ErrCannotAsk) ||
		time.Since(begun) >= askGrace {
		t.Errorf("with an old app: %v after %v", err, time.Since(begun))
	}
}

// TestQuestionWaitsForTheApp: an engine that has just started asks before it has found the app.
func TestQuestionWaitsForTheApp(t *testing.T) {
	at := endpoint(t)
	agent, _ := startAgent(t, at, newEngine())
	outcome := askSoon(t.Context(), agent, status.Question{})
	_, asked, _ := questions(t, at)
	(<-asked).Answer(status.AllowOnce)
	if got := <-outcome; got != "once <nil>" {
		t.Errorf("got %s", got)
	}
}

func TestQuestionsAreBounded(t *testing.T) {
	at := endpoint(t)
	_, asked, _ := questions(t, at)
	agent, _ := startAgent(t, at, newEngine())
	ctx, cancel := context.WithCancel(t.Context())
	var waiting []<-chan string
	for range maxQuestions {
		waiting = append(waiting, askSoon(ctx, agent, status.Question{}))
		<-asked
	}
	if _, err := agent.Ask(ctx, status.Question{}); !errors.Is(err, ErrAskBusy) {
		t.Errorf("one too many: %v", err)
	}
	cancel()
	for _, outcome := range waiting {
		<-outcome
	}
	big := status.Question{Arguments: make(json.RawMessage, maxQuestionBytes+1)}
	if _, err := agent.Ask(t.Context(), big); !errors.Is(err, ErrAskBusy) {
		t.Errorf("too large: %v", err)
	}
	agent.asking.mu.Lock()
	if left := len(agent.asking.waiting) + agent.asking.bytes; left != 0 {
		t.Errorf("%d are left", left)
	}
	agent.asking.mu.Unlock()
	outcome := askSoon(t.Context(), agent, status.Question{})
	(<-asked).Answer(status.Refuse)
	if got := <-outcome; got != "refuse <nil>" {
		t.Errorf("got %s", got)
	}
}

// TestQuestionsThatAreTakenBack: a question that is withdrawn before it was written is never written.
func TestQuestionsThatAreTakenBack(t *testing.T) {
	o := newOutbox()
	o.addAsk(&message{Type: typeAsk, ID: 1, Question: &status.Question{}})
	o.withdraw(1)
	if got := written(t, o); len(got) != 0 {
		t.Errorf("%+v", got)
	}
	o.addAsk(&message{Type: typeAsk, ID: 2, Question: &status.Question{}})
	if got := written(t, o); len(got) != 1 || got[0].Type != typeAsk {
		t.Errorf("%+v", got)
	}
	o.withdraw(2)
	if got := written(t, o); len(got) != 1 || got[0].Type != typeWithdraw || got[0].ID != 2 {
		t.Errorf("%+v", got)
	}
}

// TestEngineThatAsksWithoutEnd: an engine that asks too much, or asks the same question twice, is refused at
// once.
func TestEngineThatAsksWithoutEnd(t *testing.T) {
	at := endpoint(t)
	_, asked, _ := questions(t, at)
	conn, err := dial(t.Context(), at)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, `{"type":"hello","version":%d,"about":{}}`+"\n", Version)
	for i := range maxQuestions + 2 {
		fmt.Fprintf(conn, `{"type":"ask","id":%d,"question":{}}`+"\n", max(1, i))
	}
	reader := newLineReader(conn, maxFromApp)
	for range 2 {
		m, err := reader.next()
		for err == nil && m.Type != typeAnswer {
			m, err = reader.next()
		}
		if err != nil || m.Answer != status.Refuse {
			t.Fatalf("%+v, %v", m, err)
		}
	}
	if n := len(asked); n != maxQuestions {
		t.Errorf("%d questions came through", n)
	}
}
