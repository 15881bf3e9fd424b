package jsonrpc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

// readAll returns all results of Next; a line that is too long is "!size head tail".
func readAll(t *testing.T, r *Reader) ([]string, error) {
	t.Helper()
	var lines []string
	for {
		line, err := r.Next()
		var long *TooLongError
		switch {
		case errors.As(err, &long):
			lines = append(lines, fmt.Sprintf("!%d %s %s", long.Size, long.Head, long.Tail))
		case err != nil:
			if _, again := r.Next(); again != err {
				t.Errorf("after %v the next call gave %v", err, again)
			}
			return lines, err
		default:
			lines = append(lines, string(line))
		}
	}
}

func TestReader(t *testing.T) {
	tests := []struct {
		in   string
		want []string
	}{
		{"", nil},
		{"\n\r\n \t\n", nil},
		{"a\nb\r\n\nc", []string{"a", "b", "c"}},
		{"a\r", []string{"a"}},
		{" a \n", []string{" a "}},
		{"12345678\n123456789\n1\n", []string{"12345678", "!9 123456789 123456789", "1"}},
		{"12345678\r\n123456789\r\n1\n", []string{"12345678", "!9 123456789 123456789", "1"}},
		{"123456789", []string{"!9 123456789 123456789"}},
	}
	for _, test := range tests {
		for name, wrap := range map[string]func(io.Reader) io.Reader{"whole": func(r io.Reader) io.Reader {
			return r
		}, "bytes": iotest.OneByteReader, "data with EOF": iotest.DataErrReader} {
			got, err := readAll(t, NewReader(wrap(strings.NewReader(test.in)), 8))
			if err != io.EOF {
				t.Errorf("%q (%s): error %v, want EOF", test.in, name, err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("%q (%s): (-want +got)\n%s", test.in, name, diff)
			}
		}
	}
}

func TestReaderError(t *testing.T) {
	broken := errors.New("broken")
	got, err := readAll(t, NewReader(io.MultiReader(strings.NewReader("whole\nhal"), iotest.ErrReader(broken)), 8))
	if err != broken || len(got) != 1 || got[0] != "whole" {
		t.Errorf("got %q, %v; want the whole line, then the error", got, err)
	}
	stuck := readerFunc(func([]byte) (int, error) { return 0, nil })
	if _, err := NewReader(stuck, 8).Next(); err != io.ErrNoProgress {
		t.Errorf("error %v from a reader that gives nothing", err)
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// endless returns a reader of size bytes of x, followed by "\nnext\n".
func endless(size int) io.Reader {
	return io.MultiReader(io.LimitReader(readerFunc(func(p []byte) (int, error) {
		for i := range p {
			p[i] = 'x'
		}
		return len(p), nil
	}), int64(size)), strings.NewReader("\nnext\n"))
}

func TestReaderMemoryIsBounded(t *testing.T) {
	const maxLine, size = 1 << 20, 300 << 20
	result := testing.Benchmark(func(b *testing.B) {
		for range b.N {
			r := NewReader(endless(size), maxLine)
			_, err := r.Next()
			var long *TooLongError
			if !errors.As(err, &long) || long.Size != size || len(long.Head) != keptOfLong || len(long.Tail) != keptOfLong {
				b.Fatalf("error %v, want TooLongError", err)
			}
			if line, err := r.Next(); string(line) != "next" || err != nil {
				b.Fatalf("then %q, %v", line, err)
			}
		}
	})
	if result.N == 0 {
		t.Fatal("the benchmark failed")
	}
	if allocated := result.AllocedBytesPerOp(); allocated > 6*maxLine {
		t.Errorf("%d bytes were allocated for a line of %d with a limit of %d", allocated, size, maxLine)
	}
}

func TestReaderLinesAreIndependent(t *testing.T) {
	r := NewReader(strings.NewReader(strings.Repeat("abc\n", 3)+strings.Repeat("y", 3*readSize)+"\nlast"), 1<<20)
	var lines [][]byte
	for {
		line, err := r.Next()
		if err != nil {
			break
		}
		_ = append(line, "overrun"...)
		lines = append(lines, line)
	}
	if len(lines) != 5 || string(lines[0]) != "abc" || string(lines[2]) != "abc" || len(lines[3]) != 3*readSize ||
		string(lines[4]) != "last" {
		t.Errorf("got %d lines, damaged", len(lines))
	}
}

// FuzzReader passes the stream in random pieces, and compares the result with splitting it as a whole.
func FuzzReader(f *testing.F) {
	f.Add([]byte("a\nb\r\n\n c\n"), uint64(1), 10, 1)
	f.Add([]byte("0123456789\r\nx"), uint64(2), 5, 7)
	f.Add([]byte("0123456789\r"), uint64(3), 9, 9000)
	f.Add([]byte("ab\r\r\n\r"), uint64(4), 2, 40000)
	f.Fuzz(func(t *testing.T, data []byte, seed uint64, maxLine, repeat int) {
		maxLine = max(1, maxLine%(3*readSize))
		if repeat = max(1, repeat%50_000); len(data)*repeat > 1<<20 {
			repeat = 1
		}
		data = bytes.Replace(data, []byte("0"), bytes.Repeat([]byte("z"), repeat), 1)
		var want []string
		for _, line := range bytes.Split(data, []byte("\n")) {
			line = bytes.TrimSuffix(line, []byte("\r"))
			switch {
			case len(line) > maxLine:
				want = append(want, fmt.Sprintf("!%d %s %s", len(line), line[:min(len(line), keptOfLong)],
					line[max(0, len(line)-keptOfLong):]))
			case len(bytes.Trim(line, " \t\r")) > 0:
				want = append(want, string(line))
			}
		}
		random := rand.New(rand.NewPCG(seed, 0))
		rest := data
		r := NewReader(readerFunc(func(p []byte) (int, error) {
			if len(p) > readSize {
				t.Fatalf("read of %d bytes", len(p))
			}
			if len(rest) == 0 {
				return 0, io.EOF
			}
			limit := 1 + random.IntN(min(len(p), 1<<random.IntN(17)))
			n := copy(p[:limit], rest)
			rest = rest[n:]
			return n, nil
		}), maxLine)
		got, err := readAll(t, r)
		if err != io.EOF {
			t.Fatal(err)
		}
		if !slices.Equal(want, got) {
			t.Fatalf("got %.500q, want %.500q", got, want)
		}
	})
}

// recorder counts the calls and notices a line that is torn.
type recorder struct {
	bytes.Buffer
	writes int
}

func (r *recorder) Write(p []byte) (int, error) {
	r.writes++
	return r.Buffer.Write(p)
}

func TestWriter(t *testing.T) {
	var out recorder
	w := NewWriter(&out)
	if err := w.WriteLine([]byte(`{"a":`), nil, []byte("1"), []byte("}")); err != nil {
		t.Fatal(err)
	}
	if out.String() != "{\"a\":1}\n" || out.writes != 1 {
		t.Errorf("wrote %q in %d writes, want one", out.String(), out.writes)
	}
	out.Reset()
	parts := [][]byte{[]byte("head"), bytes.Repeat([]byte("x"), 3*maxJoined), []byte("tail")}
	for range maxJoined {
		parts = append(parts, []byte("yyy"))
	}
	if err := w.WriteLine(parts...); err != nil {
		t.Fatal(err)
	}
	if want := append(bytes.Join(parts, nil), '\n'); !bytes.Equal(want, out.Bytes()) {
		t.Error("a big line came out differently")
	}
	if cap(w.buf) > 3*maxJoined {
		t.Errorf("the buffer has grown to %d bytes", cap(w.buf))
	}
}

func TestWriterConcurrent(t *testing.T) {
	var out recorder
	w := NewWriter(&out)
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			for range 50 {
				if err := w.WriteLine(bytes.Repeat([]byte{'a' + byte(i)}, 1000),
					bytes.Repeat([]byte{'a' + byte(i)}, 100*i*i*i)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	if len(lines) != 8*50 {
		t.Errorf("%d lines, want %d", len(lines), 8*50)
	}
	for _, line := range lines {
		if i := int(line[0] - 'a'); len(line) != 1000+100*i*i*i || strings.Trim(line, line[:1]) != "" {
			t.Fatalf("a line of %d bytes is torn", len(line))
		}
	}
}

func TestWriterStaysBroken(t *testing.T) {
	calls := 0
	w := NewWriter(writerFunc(func(p []byte) (int, error) {
		if calls++; calls > 1 {
			return len(p), nil
		}
		return 1, nil
	}))
	first := w.WriteLine([]byte("abc"))
	if !errors.Is(first, io.ErrShortWrite) {
		t.Fatalf("error %v, want a short write", first)
	}
	if again := w.WriteLine([]byte("abc")); again != first || calls != 1 {
		t.Errorf("then %v after %d writes; want the same error and no other write", again, calls)
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

func BenchmarkReader(b *testing.B) {
	for name, line := range benchmarkLines() {
		b.Run(name, func(b *testing.B) {
			stream := append(line[:len(line):len(line)], '\n')
			rest := []byte(nil)
			r := NewReader(readerFunc(func(p []byte) (int, error) {
				if len(rest) == 0 {
					rest = stream
				}
				n := copy(p, rest)
				rest = rest[n:]
				return n, nil
			}), 64<<20)
			b.SetBytes(int64(len(line)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := r.Next(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkWriter(b *testing.B) {
	w := NewWriter(io.Discard)
	for name, line := range benchmarkLines() {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(line)))
			b.ReportAllocs()
			for b.Loop() {
				if err := w.WriteLine(line); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
