// Package main: this file is given to the compiler for TestClockJumps only. It moves what the program takes for the time of day, while the
// clock that only counts goes on.
package main

import (
	"os"
	"strconv"
	"strings"
	"time"
	_ "unsafe" // for go:linkname
)

//go:linkname jump time.faultsJump
var jump int64

func init() {
	file := os.Getenv("WORKBENCH_FAULTS_CLOCK")
	if file == "" {
		return
	}
	go func() {
		for ; ; time.Sleep(10 * time.Millisecond) {
			text, _ := os.ReadFile(file)
			if seconds, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err == nil {
				jump = seconds
			}
		}
	}()
}
