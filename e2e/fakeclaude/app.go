package fakeclaude

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
)

// app is the running fake.
type app struct {
	file    *file
	servers []*session
	probes  map[string]*session // the throw-away copies, by entry
}

// run runs the fake. It returns the exit status.
func run(path string, in io.Reader, out io.Writer) int {
	a := &app{file: load(path), probes: map[string]*session{}}
	a.start()
	a.file.write()
	answer := json.NewEncoder(out)
	_ = answer.Encode(Answer{Result: json.RawMessage(`"ready"`)}) // if the test is gone, its end of our stdin ends us
	lines := bufio.NewReaderSize(in, 1<<20)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			a.quit()
			return 0
		}
		var order Order
		if err := json.Unmarshal(line, &order); err != nil {
			_ = answer.Encode(Answer{Error: err.Error()})
			continue
		}
		result, err := a.obey(order)
		reply := Answer{}
		if err == nil {
			reply.Result, err = json.Marshal(result)
		}
		if err != nil {
			reply = Answer{Error: err.Error()}
		}
		_ = answer.Encode(reply)
		if order.Do == Quit {
			return 0
		}
	}
}

// start starts every server twice: one copy is for conversations, the other for Cowork and Code. A third copy is
// thrown away after it has said which versions it knows; until then, all three run at once.
func (a *app) start() {
	var greeting sync.WaitGroup
	for _, entry := range a.file.entries() {
		probe := newSession(entry, -1)
		a.probes[entry.name] = probe
		greeting.Go(probe.discover)
		for copy := range 2 {
			s := newSession(entry, copy)
			a.servers = append(a.servers, s)
			greeting.Go(s.start)
		}
	}
	greeting.Wait()
	for _, probe := range a.probes {
		probe.end()
	}
}

func (a *app) obey(order Order) (any, error) {
	switch order.Do {
	case Servers:
		list := []Server{}
		for _, s := range a.servers {
			one := s.shown()
			probe := a.probes[one.Name].shown()
			one.Probe, one.ProbePid = probe.Tools, probe.Pid
			if one.Problem == "" {
				one.Problem = probe.Problem
			}
			list = append(list, one)
		}
		return list, nil
	case Call:
		for _, s := range a.servers {
			if s.entry.name == order.Name && s.copy == order.Copy {
				return s.call(order.Tool, order.Arguments)
			}
		}
		return nil, fmt.Errorf("there is no server %q", order.Name)
	case Set:
		a.file.set(order.Name, order.Value)
		return nil, a.file.write()
	case Remove:
		a.file.remove(order.Name)
		return nil, a.file.write()
	case Quit:
		return a.quit()
	}
	return nil, errors.New("it is not known what that means")
}

// quit writes the file and stops the servers. It returns how many had to be killed.
func (a *app) quit() (killed int, err error) {
	err = a.file.write()
	var ending sync.WaitGroup
	for _, s := range a.servers {
		ending.Go(s.end)
	}
	ending.Wait()
	for _, s := range a.servers {
		if s.killed {
			killed++
		}
	}
	return killed, err
}
