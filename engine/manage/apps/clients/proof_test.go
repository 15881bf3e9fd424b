package clients

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/client"
)

// status returns the status of a client.
func (p *place) status(id string) Status {
	p.t.Helper()
	all, err := p.Status(p.launch)
	if err != nil {
		p.t.Fatal(err)
	}
	for _, status := range all {
		if status.Client.ID == id {
			return status
		}
	}
	p.t.Fatalf("no client %q", id)
	return Status{}
}

// proof returns the proof of a client that has just started Workbench.
func (p *place) proof(id string) Proof {
	return Proof{Client: id, Time: p.now(), Name: "its words", Version: "1.2", Pid: 7, Program: "0.9",
		Config: p.launch.Config}
}

// prove records a proof.
func (p *place) prove(proof Proof) {
	p.t.Helper()
	if err := p.RecordProof(proof); err != nil {
		p.t.Fatal(err)
	}
}

// ticking makes the clock advance by a minute each time it is read.
func (p *place) ticking() {
	clock := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	p.now = func() time.Time { clock = clock.Add(time.Minute); return clock }
}

func TestProof(t *testing.T) {
	p := newPlace(t)
	p.ticking()
	file := p.file("cursor")
	p.put(file, twoServers)
	green := func(want bool, when string) {
		t.Helper()
		if status := p.status("cursor"); status.Proven() != want {
			t.Errorf("%s: proven is %v, state %q, proof %+v", when, !want, status.State, status.Proof)
		}
	}
	early := p.proof("cursor")
	p.prove(early)
	green(false, "not connected")
	p.must(p.connect("cursor"))
	green(false, "an older start")
	first := p.proof("cursor")
	p.prove(first)
	green(true, "started by the entry")
	p.must(p.connect("cursor"))
	green(true, "connected once more, which changes nothing")
	p.prove(early)
	if got := p.status("cursor").Proof; !got.Time.Equal(first.Time) || !got.First.Equal(early.Time) ||
		got.Version != "1.2" || got.Pid != 7 {
		t.Errorf("after an older proof, the proof is %+v", got)
	}
	p.Registrar = New(p.system, p.Folder())
	p.ticking()
	green(true, "after a restart")

	p.put(file, strings.Replace(p.text(file), `"workbench"`, `"mine"`, 1))
	green(true, "under another name")
	p.put(file, "{}")
	green(false, "lost")
	p.now = func() time.Time { return first.Time.Add(time.Hour) }
	p.must(p.connect("cursor"))
	green(false, "put back, and not started since")
	plan := p.must(p.PlanDisconnect(rowOf(t, "cursor")))
	if err := p.Apply(t.Context(), plan); err != nil {
		t.Fatal(err)
	}
	green(false, "disconnected")
	plan = p.must(p.PlanConnect(rowOf(t, "cursor"), p.launch))
	clock := p.now()
	p.now = func() time.Time { clock = clock.Add(time.Minute); return clock }
	p.prove(p.proof("cursor"))
	if err := p.Apply(t.Context(), plan); err != nil {
		t.Fatal(err)
	}
	green(false, "started while it was thought about")
	p.must(p.disconnect("cursor"))
	p.must(p.connect("cursor"))
	green(false, "connected again")

	other := p.proof("cursor")
	other.Time = other.Time.Add(time.Minute)
	other.Config = filepath.Join(p.home, "other.json")
	p.prove(other)
	green(false, "with another configuration")
	// Another path to the same file counts as the same.
	p.put(p.launch.Config, "{}")
	link := filepath.Join(p.home, "link.json")
	if err := os.Symlink(p.launch.Config, link); err != nil || !there(link) {
		t.Skip(err) // Windows does not allow links, and Wine only claims to have made one
	}
	other.Time, other.Config = other.Time.Add(time.Minute), link
	p.prove(other)
	green(true, "with a link to the configuration")
}

func TestNoProof(t *testing.T) {
	p := newPlace(t)
	for _, wrong := range []Proof{{Time: time.Now()}, {Client: "somebody", Time: time.Now()}, {Client: "cursor"}} {
		if p.RecordProof(wrong) == nil {
			t.Errorf("%+v is kept", wrong)
		}
	}
	if there(p.ledger.proofs().path) {
		t.Error("something was written")
	}
}

// TestProofsThatCannotBeRead: damaged proofs must not block changes of files.
func TestProofsThatCannotBeRead(t *testing.T) {
	p := newPlace(t)
	p.put(p.file("cursor"), twoServers)
	p.must(p.connect("cursor"))
	p.put(p.ledger.proofs().path, `{"format": 99, "proofs": []}`)
	if _, err := p.Proofs(); err == nil || !strings.Contains(err.Error(), "Move it away") {
		t.Error(err)
	}
	newer := p.text(p.ledger.proofs().path)
	p.put(p.ledger.proofs().path, strings.Replace(newer, "[]", "{}", 1))
	if err := p.RecordProof(p.proof("cursor")); !errors.Is(err, errOtherFormat) ||
		!strings.Contains(p.text(p.ledger.proofs().path), "99") {
		t.Errorf("that of another version: %v, %s", err, p.text(p.ledger.proofs().path))
	}
	if status := p.status("cursor"); status.State != Connected || status.Proof != nil {
		t.Errorf("%+v", status)
	}
	p.put(p.ledger.proofs().path, `{"for`)
	p.prove(p.proof("cursor"))
	if !p.status("cursor").Proven() || p.text(p.ledger.proofs().path+".damaged") != `{"for` {
		t.Error("the damaged file was not moved away")
	}
	if err := os.WriteFile(p.ledger.entries().path, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	p.prove(p.proof("cursor"))
	if p.text(p.ledger.entries().path) != "{" {
		t.Error("the ledger was touched")
	}
}

// TestProofsOfTwo: the app and a command may write at the same time.
func TestProofsOfTwo(t *testing.T) {
	p := newPlace(t)
	other := New(p.system, p.Folder())
	begin := time.Now()
	var wg sync.WaitGroup
	for i, r := range []*Registrar{p.Registrar, other} {
		wg.Go(func() {
			for n := range 20 {
				id := client.IDs()[2*(n%5)+i]
				if err := r.RecordProof(Proof{Client: id, Time: begin.Add(time.Duration(n+1) * time.Second)}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	proofs, err := p.Proofs()
	if err != nil || len(proofs) != 10 {
		t.Errorf("%d proofs, %v", len(proofs), err)
	}
	for id, proof := range proofs {
		if proof.Time.Before(begin.Add(16 * time.Second)) {
			t.Errorf("that of %s is not the newest", id)
		}
	}
	if err := p.RecordSeen(map[string]time.Time{"cursor": begin, "zed": begin.Add(time.Hour)}); err != nil {
		t.Fatal(err)
	}
	seen, err := p.Seen()
	if err != nil || !seen["zed"].Equal(begin.Add(time.Hour)) || seen["claude-desktop"].Before(begin) {
		t.Errorf("%v, %v", seen, err)
	}
}
