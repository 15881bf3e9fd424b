package words

import (
	"errors"
	"net"
	"net/url"
	"os"
	"syscall"
)

// Error numbers of Windows sockets. They differ from those of package syscall with the same meaning, and errors.Is
// does not treat them as equal.
const (
	winsockNoNetwork = syscall.Errno(10051)
	winsockRefused   = syscall.Errno(10061)
	winsockNoHost    = syscall.Errno(10065)
)

// Network returns a sentence for an error that another computer cannot be reached, wherever it is in the chain, such
// as "dial tcp: lookup example.com: no such host"; the zero Text for another error.
func Network(err error) Text {
	var unknown *net.DNSError
	switch {
	case errors.As(err, &unknown) && unknown.IsNotFound:
		return New("network.no_such_host")
	case errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, winsockRefused):
		return New("network.nothing_answers")
	case errors.Is(err, syscall.ENETUNREACH) || errors.Is(err, syscall.EHOSTUNREACH) ||
		errors.Is(err, winsockNoNetwork) || errors.Is(err, winsockNoHost):
		return New("network.no_way_there")
	}
	return Text{}
}

// alone reports whether an error has no words but those of the system.
func alone(err error) bool {
	for ; err != nil; err = errors.Unwrap(err) {
		switch err.(type) {
		case *url.Error, *net.OpError, *os.SyscallError:
		case *net.DNSError, syscall.Errno:
			return true
		default:
			return false
		}
	}
	return false
}
