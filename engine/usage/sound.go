package usage

import (
	"encoding/binary"
	"errors"
	"os"

	"go.etcd.io/bbolt"
)

// Any program of the user can write the store, and the library trusts its content. Most wrong content makes
// the library panic, which [Folder.open] recovers. This file checks for content whose effects cannot be
// recovered: pages that point to themselves overflow the stack, invented sizes fill the memory, and without a
// list of free pages the library scans all pages in a goroutine of its own.

// The library's pages, in the byte order of the computer. A page begins with a header, followed by elements
// that say where the keys and values are.
const (
	headSize    = 16 // id 8, kind 2, number of elements 2, further pages 4
	elementSize = 16 // of a branch: offset 4, key 4, page 8; of a leaf: flags 4, offset 4, key 4, value 4
	metaSize    = 64 // magic 4, version 4, page size 4, flags 4, root 16, free list 8, pages 8, transaction 8, sum 8
	branchKind  = 1
	leafKind    = 2
	bucketFlag  = 1
	metaMagic   = 0xED0CDAED
	minPage     = 1 << 10
	maxPage     = 64 << 10
	mostPages   = MaxFile / minPage
	maxDepth    = 32
)

var errPages = errors.New("pages that do not fit together")

// soundMetas checks the meta pages before the library opens the file.
func soundMetas(file *os.File) error {
	head := make([]byte, headSize+metaSize)
	for at := int64(0); at <= maxPage; at = max(minPage, 2*at) { // the second meta page is one page after the first
		if _, err := file.ReadAt(head, at); err != nil {
			break // the file ends here
		}
		meta := head[headSize:]
		if binary.NativeEndian.Uint32(meta) != metaMagic {
			continue
		}
		size, free := binary.NativeEndian.Uint32(meta[8:]), binary.NativeEndian.Uint64(meta[32:])
		if size < minPage || size > maxPage || size&(size-1) != 0 || free > mostPages {
			return damage(errPages)
		}
		list := make([]byte, headSize+8)
		if _, err := file.ReadAt(list, int64(free)*int64(size)); err == nil && binary.NativeEndian.Uint16(list[10:]) == 0xFFFF && binary.NativeEndian.Uint64(list[headSize:]) > mostPages {
			return damage(errPages)
		}
	}
	return nil
}

// walk checks the pages of a transaction.
type walk struct {
	file  *os.File
	size  uint64 // of a page
	pages uint64
	seen  map[uint64]bool
}

// soundPages returns an error unless the pages of a transaction are a tree of buckets without nested buckets.
func soundPages(tx *bbolt.Tx, file *os.File) error {
	size := uint64(tx.DB().Info().PageSize)
	w := walk{file, size, uint64(tx.Size()) / size, map[uint64]bool{}}
	if w.pages > mostPages || !w.page(uint64(tx.Cursor().Bucket().Root()), 0, true) {
		return damage(errPages)
	}
	return nil
}

// page reports whether a page and all pages below it are sound. Only the topmost tree may have buckets.
func (w *walk) page(id uint64, depth int, top bool) bool {
	if id < 2 || id >= w.pages || depth > maxDepth || w.seen[id] {
		return false
	}
	w.seen[id] = true
	page := make([]byte, w.size)
	if _, err := w.file.ReadAt(page, int64(id*w.size)); err != nil || binary.NativeEndian.Uint64(page) != id {
		return false
	}
	if more := uint64(binary.NativeEndian.Uint32(page[12:])); more > 0 {
		if more >= w.pages-id {
			return false
		}
		page = make([]byte, (1+more)*w.size)
		if _, err := w.file.ReadAt(page, int64(id*w.size)); err != nil {
			return false
		}
	}
	return w.elements(page, depth, top)
}

// elements checks the elements of a page.
func (w *walk) elements(page []byte, depth int, top bool) bool {
	if len(page) < headSize {
		return false
	}
	kind, count := binary.NativeEndian.Uint16(page[8:]), int(binary.NativeEndian.Uint16(page[10:]))
	if kind != branchKind && kind != leafKind || kind == branchKind && count == 0 || headSize+count*elementSize > len(page) {
		return false
	}
	for i := range count {
		rest := page[headSize+i*elementSize:]
		if kind == branchKind {
			if key := uint64(binary.NativeEndian.Uint32(rest)) + uint64(binary.NativeEndian.Uint32(rest[4:])); key > uint64(len(rest)) || !w.page(binary.NativeEndian.Uint64(rest[8:]), depth+1, top) {
				return false
			}
			continue
		}
		at := uint64(binary.NativeEndian.Uint32(rest[4:])) + uint64(binary.NativeEndian.Uint32(rest[8:]))
		end := at + uint64(binary.NativeEndian.Uint32(rest[12:]))
		if end > uint64(len(rest)) {
			return false
		}
		if binary.NativeEndian.Uint32(rest)&bucketFlag != 0 && (!top || !w.bucket(rest[at:end], depth)) {
			return false
		}
	}
	return true
}

// bucket checks a bucket: it has a page of its own, or is small and stored inline.
func (w *walk) bucket(value []byte, depth int) bool {
	if len(value) < headSize {
		return false
	}
	if root := binary.NativeEndian.Uint64(value); root != 0 {
		return w.page(root, depth+1, false)
	}
	inline := value[headSize:]
	return len(inline) >= headSize && binary.NativeEndian.Uint16(inline[8:]) == leafKind && w.elements(inline, depth+1, false)
}
