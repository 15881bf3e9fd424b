package process

import (
	"cmp"
	"unsafe"

	"golang.org/x/sys/windows"
)

// list returns the parents of all running processes, and a function that returns the memory of one.
func list() (parents map[int]int, memory func(pid int) int64, err error) {
	parents = map[int]int{}
	for pid, parent := range parentsOf() {
		if pid != 0 {
			parents[int(pid)] = int(parent)
		}
	}
	return parents, memoryOf, nil
}

// memoryCounters is PROCESS_MEMORY_COUNTERS_EX of Windows.
type memoryCounters struct {
	size, faults                             uint32
	peakWorkingSet, workingSet               uintptr
	peakPaged, paged, peakNonPaged, nonPaged uintptr
	pagefile, peakPagefile, private          uintptr
}

var getProcessMemoryInfo = windows.NewLazySystemDLL("kernel32.dll").NewProc("K32GetProcessMemoryInfo")

// memoryOf returns the memory that a process has for itself; 0 if it has ended.
func memoryOf(pid int) int64 {
	handle, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION|windows.PROCESS_VM_READ, false, uint32(pid))
	if err != nil {
		return 0
	}
	defer windows.CloseHandle(handle)
	counters := memoryCounters{size: uint32(unsafe.Sizeof(memoryCounters{}))}
	ok, _, _ := getProcessMemoryInfo.Call(uintptr(handle), uintptr(unsafe.Pointer(&counters)), uintptr(counters.size))
	if ok == 0 {
		return 0
	}
	return int64(cmp.Or(counters.private, counters.workingSet)) // Wine knows only the latter
}
