// This file is in the program only when the tests of app/e2e build it (go build -overlay), never in what users get.

package main

import (
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"syscall"
)

// At each SIGUSR2 the program says how much is in use, as one line of a file.
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
			runtime.GC() // what the first has finalized
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
