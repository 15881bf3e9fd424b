package runtimes

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/network"
	"github.com/workbench-mcp/workbench-desktop/engine/pause"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

const (
	maxArchive = 256 << 20        // in bytes; real archives have 20 to 60 MB
	maxLosses  = 5                // lost connections in a row without any data
	maxWait    = 10 * time.Second // between two attempts
)

// errLost means that the connection was lost during the download.
var errLost = errors.New("the connection was lost")

// errUnsafeRedirect means that a server redirected the download to an address that may not be used.
var errUnsafeRedirect = errors.New("unsafe redirect")

// fetching is one download of an archive.
type fetching struct {
	runtimes *Runtimes
	offer    Offer
	address  *url.URL
	client   *http.Client
	file     *os.File
	size     int64  // bytes in file
	all      int64  // bytes of the whole archive; zero if not known
	mark     string // see strongMark; empty if the part cannot be continued
	progress func(Progress)
}

// download returns the complete archive with the right checksum, positioned at its beginning. The caller must
// close it.
func (r *Runtimes) download(ctx context.Context, offer Offer, progress func(Progress)) (*os.File, error) {
	address, err := r.address(offer)
	if err != nil {
		return nil, err
	}
	folder := filepath.Join(r.options.Folder, downloading)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	name := filepath.Join(folder, path.Base(address.Path))
	r.forgetOthers(folder, path.Base(address.Path))
	file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	f := &fetching{runtimes: r, offer: offer, address: address, client: r.client(), file: file, progress: progress}
	defer f.client.CloseIdleConnections()
	err = f.run(ctx)
	if err == nil {
		err = f.check(ctx)
	}
	if err != nil {
		_ = file.Close()
		if !errors.Is(err, errLost) || ctx.Err() != nil {
			_ = os.RemoveAll(folder)
		}
		if errors.Is(err, errLost) {
			err = words.NewError("runtimes.lost", "Host", address.Hostname())
		}
		return nil, err
	}
	_, err = file.Seek(0, io.SeekStart)
	return file, err
}

// address returns the address of the archive, at its makers or at a mirror.
func (r *Runtimes) address(offer Offer) (*url.URL, error) {
	base := offer.Makers
	if mirror := strings.TrimRight(r.options.Getenv(offer.Mirror), "/"); mirror != "" {
		base = mirror
	}
	address, err := url.Parse(base + "/" + offer.Address)
	if err != nil || address.Host == "" || !secure(address) {
		return nil, words.NewError("runtimes.mirror", "Variable", offer.Mirror)
	}
	return address, nil
}

// secure reports whether nobody can read or change a transfer from an address: it uses https, or is on this computer.
func secure(address *url.URL) bool {
	host := address.Hostname()
	ip := net.ParseIP(host)
	return address.Scheme == "https" || address.Scheme == "http" && (host == "localhost" || ip != nil && ip.IsLoopback())
}

// client returns the HTTP client for archives. It uses the user's proxies and certificates.
func (r *Runtimes) client() *http.Client {
	transport := network.Transport(r.options.Getenv)
	transport.DialContext = (&net.Dialer{Timeout: r.options.stall}).DialContext
	transport.TLSHandshakeTimeout = r.options.stall
	transport.ResponseHeaderTimeout = r.options.stall
	transport.DisableCompression = true // the checksum is that of the archive itself
	return &http.Client{
		Transport: transport,
		CheckRedirect: func(request *http.Request, via []*http.Request) error {
			// A server with https must not redirect to a service on this computer.
			if len(via) > 10 || !secure(request.URL) || request.URL.Scheme != "https" && via[0].URL.Scheme == "https" {
				return errUnsafeRedirect
			}
			return nil
		},
	}
}

// forgetOthers removes the downloads of other archives.
func (r *Runtimes) forgetOthers(folder, name string) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return
	}
	for _, entry := range entries {
		if entry.Name() != name && entry.Name() != name+markEnd {
			_ = os.RemoveAll(filepath.Join(folder, entry.Name()))
		}
	}
}

// markEnd is the extension of the file with the mark of a partial download, see strongMark.
const markEnd = ".mark"

// run downloads the rest of the archive into the file. It retries after a lost connection.
func (f *fetching) run(ctx context.Context) error {
	if err := f.resume(); err != nil {
		return err
	}
	losses := 0
	for {
		before := f.size
		err := f.once(ctx)
		switch {
		case err == nil || ctx.Err() != nil:
			return errors.Join(err, ctx.Err())
		case !errors.Is(err, errLost):
			return err
		case f.size > before:
			losses = 0
		default:
			losses++
		}
		if losses >= maxLosses {
			return err
		}
		if !pause.For(ctx, min(maxWait, f.runtimes.options.pause<<losses)) {
			return ctx.Err()
		}
	}
}

// resume continues an earlier download, if the file with its mark exists. Otherwise the part may belong to another
// archive, and is removed.
func (f *fetching) resume() error {
	mark, err := os.ReadFile(f.file.Name() + markEnd)
	if err != nil || len(mark) == 0 || len(mark) > 1000 {
		return f.restart("")
	}
	size, err := f.file.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	f.size, f.mark = size, string(mark)
	return nil
}

// restart empties the file for an archive with another mark.
func (f *fetching) restart(mark string) error {
	f.size, f.mark = 0, mark
	if err := f.file.Truncate(0); err != nil {
		return err
	}
	if _, err := f.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	if mark == "" {
		_ = os.Remove(f.file.Name() + markEnd) // it may not exist
		return nil
	}
	return os.WriteFile(f.file.Name()+markEnd, []byte(mark), 0o600)
}

// once requests the missing part and writes it.
func (f *fetching) once(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, f.address.String(), nil)
	if err != nil {
		return err
	}
	request.Header.Set("User-Agent", network.UserAgent)
	if f.mark == "" && f.size > 0 { // a part that cannot be continued
		if err := f.restart(""); err != nil {
			return err
		}
	}
	if f.size > 0 {
		request.Header.Set("Range", fmt.Sprintf("bytes=%d-", f.size))
		request.Header.Set("If-Range", f.mark)
	}
	response, err := f.client.Do(request)
	if err != nil {
		return f.unreached(ctx, err)
	}
	defer response.Body.Close()
	var from, all int64
	switch status := response.StatusCode; {
	case status == http.StatusOK:
		if err := f.restart(strongMark(response.Header)); err != nil {
			return err
		}
		f.all = max(0, response.ContentLength)
	case status == http.StatusPartialContent && f.size > 0:
		if _, err := fmt.Sscanf(response.Header.Get("Content-Range"), "bytes %d-", &from); err != nil || from != f.size {
			return f.again()
		}
		if _, err := fmt.Sscanf(response.Header.Get("Content-Range")[strings.LastIndex(response.Header.Get("Content-Range"),
			"/")+1:], "%d", &all); err == nil {
			f.all = all
		}
	case status == http.StatusRequestedRangeNotSatisfiable &&
		f.size > 0: // we have everything, or the archive has changed
		return f.again()
	case status >= 500 || status == http.StatusTooManyRequests || status == http.StatusRequestTimeout:
		return fmt.Errorf("%w: status %d", errLost, status)
	case status == http.StatusProxyAuthRequired:
		return words.NewError("runtimes.proxy")
	default:
		return words.NewError("runtimes.status", "Host", f.address.Hostname(), "Status", status, "Address",
			f.address.Redacted())
	}
	if f.all > maxArchive {
		return f.tooBig()
	}
	return f.copy(cancel, response.Body)
}

// again makes the next attempt start from the beginning. It counts as a lost connection, so that the attempts end.
func (f *fetching) again() error {
	if err := f.restart(""); err != nil {
		return err
	}
	return fmt.Errorf("%w: the part is of another archive", errLost)
}

// copy writes the body to the file. It calls cancel, which ends the request, if no data arrives for a while.
func (f *fetching) copy(cancel func(), body io.Reader) error {
	stalled := background.After(f.runtimes.options.stall, cancel)
	defer stalled.Stop()
	buffer := make([]byte, 128<<10)
	for {
		n, err := body.Read(buffer)
		stalled.Reset(f.runtimes.options.stall)
		if n > 0 {
			if f.size+int64(n) > maxArchive {
				return f.tooBig()
			}
			written, err := f.file.Write(buffer[:n])
			f.size += int64(written)
			if err != nil {
				return err
			}
			f.progress(Progress{Step: Downloading, Done: f.size, All: f.all})
		}
		switch {
		case errors.Is(err, io.EOF) && f.size >= f.all:
			return nil
		case err != nil:
			return fmt.Errorf("%w: %w", errLost, err)
		}
	}
}

func (f *fetching) tooBig() error {
	return words.NewError("runtimes.too_big", "Host", f.address.Hostname(), "MB", maxArchive>>20)
}

// unreached returns why a server could not be reached.
func (f *fetching) unreached(ctx context.Context, err error) error {
	if errors.Is(err, errUnsafeRedirect) {
		return words.NewError("runtimes.unsafe_redirect", "Host", f.address.Hostname())
	}
	if f.size > 0 || ctx.Err() != nil {
		return fmt.Errorf("%w: %w", errLost, err)
	}
	why := ""
	var unknown *net.DNSError
	if !errors.As(err, &unknown) || !unknown.IsNotFound { // as without a network; the sentence asks about that
		why = reason(err)
	}
	return words.NewError("runtimes.unreached", "Host", f.address.Hostname(), "Why", why)
}

// strongMark returns the ETag or the date by which a server identifies the exact version of a file; empty if there is
// none.
func strongMark(header http.Header) string {
	if tag := header.Get("ETag"); tag != "" && !strings.HasPrefix(tag, "W/") {
		return tag
	}
	return header.Get("Last-Modified")
}

// check compares the archive with the checksum in the program.
func (f *fetching) check(ctx context.Context) error {
	if _, err := f.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, &counting{ctx, f.file, 0, func(int64) {}}); err != nil {
		return err
	}
	if hex.EncodeToString(sum.Sum(nil)) != f.offer.Sum {
		return words.NewError("runtimes.wrong_sum", "Name", f.offer.Name, "Host", f.address.Hostname())
	}
	return nil
}
