package pause

// Wake puts a value into a channel that holds one, unless there is one already: who waits there for something to do wakes up once, however
// often it is called.
func Wake(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
