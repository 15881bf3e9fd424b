package pause

// Wake sends a value to a channel with room for one, unless it already has one. A goroutine that waits there
// for work wakes up once, however often Wake is called.
func Wake(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
