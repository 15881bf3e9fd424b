package usage

import (
	"encoding/binary"
	"hash/fnv"
	"os"
	"testing"

	"go.etcd.io/bbolt"
)

// crafted is a store that is changed with care, so that its checksums are right.
type crafted struct {
	pages []byte
	size  int // of a page
}

func (c crafted) page(id int) []byte { return c.pages[id*c.size : (id+1)*c.size] }

// metas sets a number in both pages that describe the others.
func (c crafted) metas(at int, value uint64) {
	for id := range 2 {
		meta := c.page(id)[16:]
		binary.NativeEndian.PutUint64(meta[at:], value)
		sum := fnv.New64a()
		_, _ = sum.Write(meta[:56])
		binary.NativeEndian.PutUint64(meta[56:], sum.Sum64())
	}
}

// branch turns a page into one that points to others.
func (c crafted) branch(id int, to ...uint64) {
	page := c.page(id)
	clear(page)
	binary.NativeEndian.PutUint64(page, uint64(id))
	binary.NativeEndian.PutUint16(page[8:], 1)
	binary.NativeEndian.PutUint16(page[10:], uint16(len(to)))
	for i, target := range to {
		element := page[16+16*i:]
		binary.NativeEndian.PutUint32(element, uint32(16*(len(to)-i)+i))
		binary.NativeEndian.PutUint32(element[4:], 1)
		binary.NativeEndian.PutUint64(element[8:], target)
		page[16+16*len(to)+i] = byte('a' + i)
	}
}

// TestCraftedStore checks that no store that another program has crafted ends an engine. Pages that point to
// themselves would overflow the stack, which cannot be recovered. A missing list of free pages makes the
// library scan all pages in a goroutine where nobody recovers its panics.
func TestCraftedStore(t *testing.T) {
	sound, good := soundStore(t, 400)
	var rows uint64 // the root page of the calls
	db, err := bbolt.Open(sound.folder.file(), 0o600, &bbolt.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	_ = db.View(func(tx *bbolt.Tx) error { rows = uint64(tx.Bucket([]byte(callBucket)).Root()); return nil })
	_ = db.Close()
	if rows == 0 {
		t.Fatal("the calls have no page of their own")
	}
	const root, freelist = 16, 32
	for name, craft := range map[string]func(crafted){
		"the root leads to itself": func(c crafted) { c.branch(2, 2); c.metas(root, 2) },
		"a bucket leads to itself": func(c crafted) { c.branch(int(rows), rows, rows) },
		"a page is there twice":    func(c crafted) { c.branch(int(rows), 2, 2) },
		"a bucket leads far away":  func(c crafted) { c.branch(int(rows), 1<<62) },
		"no list of free pages":    func(c crafted) { c.metas(freelist, ^uint64(0)); c.branch(int(rows), rows) },
		"a list without end": func(c crafted) {
			for _, id := range []int{0, 1} {
				page := c.page(int(binary.NativeEndian.Uint64(c.page(id)[16+32:])))
				binary.NativeEndian.PutUint16(page[10:], 0xFFFF)
				binary.NativeEndian.PutUint64(page[16:], 1<<40)
			}
		},
		"no list, and pages are no pages": func(c crafted) {
			c.metas(freelist, ^uint64(0))
			binary.NativeEndian.PutUint16(c.page(int(rows))[8:], 77)
		},
		"a bucket in a bucket": func(c crafted) {
			c.branch(int(rows), rows+1)
			page := c.page(int(rows) + 1)
			clear(page)
			binary.NativeEndian.PutUint64(page, rows+1)
			binary.NativeEndian.PutUint16(page[8:], 2)
			binary.NativeEndian.PutUint16(page[10:], 1)
			for i, value := range []uint32{1, 16, 1, 16} { // flags, offset, key and value of the one element
				binary.NativeEndian.PutUint32(page[16+4*i:], value)
			}
			binary.NativeEndian.PutUint64(page[33:], rows)
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := newTestFolder(t)
			if err := os.MkdirAll(string(d.folder), 0o700); err != nil {
				t.Fatal(err)
			}
			c := crafted{append([]byte(nil), good...), int(binary.NativeEndian.Uint32(good[24:]))}
			craft(c)
			for _, reads := range []bool{true, false} {
				if err := os.WriteFile(d.folder.file(), c.pages, 0o600); err != nil {
					t.Fatal(err)
				}
				if reads {
					_, _ = Read(d.folder, d.preferences, "/c.json", d.now)
				}
				w := d.engine("a")
				w.Call("dev", "files", "after", 0, false)
				d.close(w)
			}
			if r, err := Read(d.folder, d.preferences, "/c.json", d.now); err != nil || r.Count != 1 {
				t.Errorf("%v; %+v", err, r)
			}
		})
	}
}
