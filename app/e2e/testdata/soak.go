// This file is in the program only when the tests of app/e2e build it (go build -overlay), never in a release.

package main

import (
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"syscall"
)

// At each SIGUSR2 the program appends a line to a file: the bytes and the objects on the heap, and the number of goroutines.
func init() {
	path := os.Getenv("WORKBENCH_E2E_USE")
	if path == "" {
		return
	}
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, syscall.SIGUSR2)
	go func() {
		for range asked {
			runtime.GC()
			runtime.GC() // frees what the first run finalized
			var use runtime.MemStats
			runtime.ReadMemStats(&use)
			file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
			if err != nil {
				panic(err)
			}
			fmt.Fprintln(file, use.HeapAlloc, use.HeapObjects, runtime.NumGoroutine())
			file.Close()
		}
	}()
}
