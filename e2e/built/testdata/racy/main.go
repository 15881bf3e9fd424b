// Racy writes a variable from two goroutines, for the test that this is found.
package main

import (
	"fmt"
	"os"
)

func main() {
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
