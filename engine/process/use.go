package process

// Use is what a program uses, with all that it has started.
type Use struct {
	Processes int
	// Bytes is its memory. What several processes have in common is counted by shares where the system says how much
	// that is, and otherwise for each of them or for none.
	Bytes int64
}

// UsesOf returns what programs use that other programs have started. of has their process ids, each with that of the
// one that has started it. A process id that belongs to something else by now is left out. It takes some milliseconds
// for each program.
func UsesOf(of map[int]int) map[int]Use {
	parents, memoryOf, err := list()
	if err != nil {
		return nil
	}
	started := map[int][]int{}
	for pid, parent := range parents {
		started[parent] = append(started[parent], pid)
	}
	uses := map[int]Use{}
	for pid, by := range of {
		if parent, found := parents[pid]; found && parent == by {
			uses[pid] = useOf(pid, started, memoryOf)
		}
	}
	return uses
}

// useOf adds up a process and what it has started, by itself or by way of others.
func useOf(pid int, started map[int][]int, memoryOf func(pid int) int64) (use Use) {
	seen := map[int]bool{} // ids of processes are used again, so parents may form a circle
	for next := []int{pid}; len(next) > 0; {
		at := next[0]
		if next = next[1:]; seen[at] {
			continue
		}
		seen[at] = true
		use.Processes++
		use.Bytes += memoryOf(at)
		next = append(next, started[at]...)
	}
	return use
}
