package process

import (
	"slices"
	"sync"
	"unsafe"

	"golang.org/x/sys/windows"
)

// members are the processes of a group when it is to end.
type members struct {
	ending []uint32 // those that are ended
	spared bool     // whether there are others: what the person sees and uses, such as a browser, stays
}

// sort divides processes. A process with a visible window is spared, with all that it has started: a browser
// is many processes. The leader never is, since it is the server.
func sort(all []uint32, leader uint32, windows map[uint32]bool, parents map[uint32]uint32) members {
	var m members
	for _, pid := range all {
		if keeps(pid, leader, windows, parents) {
			m.spared = true
		} else {
			m.ending = append(m.ending, pid)
		}
	}
	return m
}

// keeps reports whether a process, or one that has started it, has a window.
func keeps(pid, leader uint32, windows map[uint32]bool, parents map[uint32]uint32) bool {
	for range 64 { // ids of processes are used again, so this may be a circle
		if pid == leader || pid == 0 {
			return false
		}
		if windows[pid] {
			return true
		}
		pid = parents[pid]
	}
	return false
}

// withWindows returns the processes that have a visible window.
func withWindows() map[uint32]bool {
	e := enumeration()
	e.mu.Lock()
	defer e.mu.Unlock()
	e.owners = map[uint32]bool{}
	_ = windows.EnumWindows(e.collect, nil)
	return e.owners
}

// enumeration is the one callback for lists of windows: Windows gives a callback of Go no context, and keeps it
// forever.
var enumeration = sync.OnceValue(func() *enumerator {
	e := &enumerator{}
	e.collect = windows.NewCallback(func(window windows.HWND, _ uintptr) uintptr {
		var pid uint32
		if windows.IsWindowVisible(window) {
			if _, err := windows.GetWindowThreadProcessId(window, &pid); err == nil && pid != 0 {
				e.owners[pid] = true
			}
		}
		return 1 // go on
	})
	return e
})

type enumerator struct {
	collect uintptr
	mu      sync.Mutex
	owners  map[uint32]bool // of the list that is being made
}

// parentsOf returns the parent of every process.
func parentsOf() map[uint32]uint32 {
	parents := map[uint32]uint32{}
	snapshot, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPPROCESS, 0)
	if err != nil {
		return parents
	}
	defer windows.CloseHandle(snapshot)
	entry := windows.ProcessEntry32{Size: uint32(unsafe.Sizeof(windows.ProcessEntry32{}))}
	for err = windows.Process32First(snapshot, &entry); err == nil; err = windows.Process32Next(snapshot, &entry) {
		parents[entry.ProcessID] = entry.ParentProcessID
	}
	return parents
}

// below returns the processes that a process has started, by themselves or by way of others, and that process.
func below(leader uint32, parents map[uint32]uint32) []uint32 {
	all := []uint32{leader}
	for i := 0; i < len(all); i++ {
		for pid, parent := range parents {
			if parent == all[i] && pid != 0 && !slices.Contains(all, pid) {
				all = append(all, pid)
			}
		}
	}
	return all
}

// inJob returns the processes of a job, at most 4096.
func inJob(job windows.Handle) []uint32 {
	var list struct {
		assigned, listed uint32
		ids              [4096]uintptr
	}
	if err := windows.QueryInformationJobObject(job, windows.JobObjectBasicProcessIdList, uintptr(unsafe.Pointer(&list)),
		uint32(unsafe.Sizeof(list)), nil); err != nil {
		return nil
	}
	var all []uint32
	for _, id := range list.ids[:min(list.listed, uint32(len(list.ids)))] {
		all = append(all, uint32(id))
	}
	return all
}

// end ends a process, if it belongs to the job; to any, if that is 0.
func end(pid uint32, job windows.Handle) error {
	handle, err := windows.OpenProcess(windows.PROCESS_TERMINATE|windows.PROCESS_QUERY_INFORMATION, false, pid)
	if err != nil {
		return nil // it has ended
	}
	defer windows.CloseHandle(handle)
	if job != 0 && !belongs(handle, job) { // the id is another's by now
		return nil
	}
	if err := windows.TerminateProcess(handle, killedStatus); err != nil && !ended(handle) {
		return err
	}
	return nil
}

var isProcessInJob = windows.NewLazySystemDLL("kernel32.dll").NewProc("IsProcessInJob")

func belongs(process, job windows.Handle) bool {
	var in int32
	ok, _, _ := isProcessInJob.Call(uintptr(process), uintptr(job), uintptr(unsafe.Pointer(&in)))
	return ok != 0 && in != 0
}

func ended(process windows.Handle) bool {
	const stillActive = 259
	var code uint32
	return windows.GetExitCodeProcess(process, &code) == nil && code != stillActive
}
