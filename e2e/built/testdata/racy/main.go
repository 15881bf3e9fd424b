// Racy writes two variables from two goroutines each, for the test that this is found.
package main

import (
	"fmt"
	"os"
)

func main() {
	known()
	done := make(chan struct{})
	count := 0
	go func() {
		count++
		close(done)
	}()
	count++
	<-done
	fmt.Println(os.Args[1:], count)
}

func known() {
	done := make(chan struct{})
	count := 0
	go func() {
		count++
		close(done)
	}()
	count++
	<-done
}
