//go:build !(goexperiment.simd && amd64 && go1.26 && !go1.27)

package jsonrpc

// blockSize is how many bytes checkLong would check at once.
const blockSize = 64

// hasVectors reports that this build does without, see check_vector.go.
func hasVectors() bool { return false }

// checkLong is checkString.
func (c *checker) checkLong(i int) int { return c.checkWords(i) }
