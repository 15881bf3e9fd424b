package guardian

import (
	"slices"
	"strings"
	"testing"
)

const (
	ourMark  = "aa.100.5.boot"
	deadMark = "bb.200.6.boot" // of an engine that has ended
	liveMark = "cc.300.7.boot"
)

// fakeMachine is a table of processes.
type fakeMachine struct {
	table  []proc
	marked map[int]string
}

func (f fakeMachine) processes() []proc        { return f.table }
func (f fakeMachine) marks(p proc) []string    { return marks(f.marked[p.pid]) }
func (f fakeMachine) gone(_ proc, m mark) bool { return m.random == "bb" }

// TestFind: only processes that are proven to be ours are found, whatever the ids of others are.
func TestFind(t *testing.T) {
	server := seeds{mark: ourMark, known: map[identity]bool{{10, 50}: true}}
	leader := proc{pid: 10, parent: 1, group: 10, session: 3, started: 50}
	for _, tt := range []struct {
		name   string
		seeds  seeds
		table  []proc
		marked map[int]string
		want   []int
	}{
		{"a server", server, []proc{leader}, nil, []int{10}},
		{"another program that has the id of a server", server,
			[]proc{{pid: 10, parent: 1, group: 10, session: 10, started: 51},
				{pid: 11, parent: 10, group: 10, session: 10, started: 52}}, nil, nil},
		{"what a server has started, and that in turn", server,
			[]proc{{pid: 12, parent: 11, group: 12, session: 12, started: 60},
				{pid: 11, parent: 10, group: 11, session: 3, started: 55}, leader}, nil, []int{10, 11, 12}},
		{"the group of a server that waits to be reaped", server,
			[]proc{{pid: 10, parent: 1, group: 10, session: 3, started: 50, dead: true},
				{pid: 11, parent: 1, group: 10, session: 3, started: 55}}, nil, []int{11}},
		{"a group without its leader", server, []proc{{pid: 11, parent: 1, group: 10, session: 3, started: 55}}, nil, nil},
		{"the session of a server", server,
			[]proc{{pid: 10, parent: 1, group: 10, session: 10, started: 50},
				{pid: 11, parent: 1, group: 11, session: 10, started: 55}}, nil, []int{10, 11}},
		{"a daemon with our mark", server, []proc{{pid: 20, parent: 1, group: 20, session: 20, started: 70}},
			map[int]string{20: ourMark}, []int{20}},
		{"a daemon of an engine in a server of ours", server,
			[]proc{{pid: 20, parent: 1, group: 20, session: 20, started: 70}}, map[int]string{20: ourMark + ":" + liveMark},
			[]int{20}},
		{"a daemon of another engine", server, []proc{{pid: 20, parent: 1, group: 20, session: 20, started: 70}},
			map[int]string{20: liveMark}, nil},
		{"a daemon of an engine that has ended, when nobody asks for those", server,
			[]proc{{pid: 20, parent: 1, group: 20, session: 20, started: 70}}, map[int]string{20: deadMark}, nil},
		{"orphans", seeds{orphans: true},
			[]proc{{pid: 20, parent: 1, group: 20, session: 20, started: 70},
				{pid: 21, parent: 20, group: 21, session: 20, started: 71}, {pid: 30, parent: 1, started: 70},
				{pid: 40, parent: 1, started: 70}},
			map[int]string{20: deadMark, 30: liveMark}, []int{20, 21}},
		{"an older process that looks like a child", server,
			[]proc{leader, {pid: 9, parent: 10, group: 9, session: 3, started: 40}}, nil, []int{10}},
		{"what has an empty mark, for an engine that has none", seeds{}, []proc{{pid: 20, parent: 1, started: 70}},
			map[int]string{20: ":"}, nil},
		{"what is no mark", seeds{orphans: true}, []proc{{pid: 20, parent: 1, started: 70}},
			map[int]string{20: "bb.x.6.boot:bb.1.6.boot:bb:"}, nil},
		{"the first process of the system", seeds{mark: ourMark, known: map[identity]bool{{1, 1}: true}},
			[]proc{{pid: 1, started: 1}, {pid: 2, parent: 1, started: 2}}, map[int]string{1: ourMark}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []int
			for _, p := range find(fakeMachine{tt.table, tt.marked}, tt.seeds) {
				got = append(got, p.pid)
			}
			slices.Sort(got)
			if !slices.Equal(got, tt.want) {
				t.Errorf("found %v, want %v", got, tt.want)
			}
		})
	}
}

func TestListen(t *testing.T) {
	left, over := listen(strings.NewReader("= " + ourMark + "\n+ 10 50\n+ 11 60\nnonsense\n+ x y\n- 11\n+ 12 7"))
	if over || left.mark != ourMark || len(left.known) != 1 || !left.known[identity{10, 50}] {
		t.Errorf("left is %v, over %t", left, over)
	}
	if _, over := listen(strings.NewReader("+ 10 50\n" + farewell)); !over {
		t.Error("listen is not over after the farewell")
	}
}

func TestMarked(t *testing.T) {
	t.Setenv(Variable, "outer")
	for _, tt := range []struct {
		env  []string
		want string
	}{
		{nil, Variable + "=outer:" + ourMark},
		{[]string{Variable + "=a:b"}, Variable + "=a:b:" + ourMark},
		{[]string{Variable + "=" + strings.Repeat("a:", 40) + "a"},
			Variable + "=" + strings.Repeat("a:", maxMarks-1) + ourMark},
	} {
		if got := marked(tt.env, ourMark); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.env, got, tt.want)
		}
	}
	read, ok := parseMark(ourMark)
	if !ok || read.String() != ourMark {
		t.Errorf("%q is read as %v", ourMark, read)
	}
}
