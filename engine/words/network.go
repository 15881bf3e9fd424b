package words

import (
	"crypto/x509"
	"errors"
	"net"
	"net/url"
	"os"
	"syscall"
)

// Error numbers of Windows sockets. errors.Is does not treat them as equal to the errors of package syscall.
const (
	winsockNoNetwork = syscall.Errno(10051)
	winsockRefused   = syscall.Errno(10061)
	winsockNoHost    = syscall.Errno(10065)
)

// Network returns a sentence if an error in the chain says that another computer cannot be reached, such as "dial tcp:
// lookup example.com: no such host", and the zero Text otherwise.
func Network(err error) Text {
	var unknown *net.DNSError
	var failed *net.OpError
	var untrusted x509.UnknownAuthorityError
	var invalid x509.CertificateInvalidError
	switch {
	case errors.As(err, &failed) && failed.Op == "proxyconnect": // of net/http
		return New("network.proxy_silent")
	case errors.As(err, &untrusted):
		return New("network.untrusted")
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return New("network.certificate_time")
	case errors.As(err, &unknown) && unknown.IsNotFound:
		return New("network.no_such_host")
	case errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, winsockRefused):
		return New("network.nothing_answers")
	case errors.As(err, &unknown): // nobody could be asked for its address, as on a computer that is not online
		return New("network.no_way_there")
	case errors.Is(err, syscall.ENETUNREACH) || errors.Is(err, syscall.EHOSTUNREACH) ||
		errors.Is(err, winsockNoNetwork) || errors.Is(err, winsockNoHost):
		return New("network.no_way_there")
	}
	return Text{}
}

// alone reports whether an error has only text of the system.
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
