package assets

import (
	"bytes"
	"compress/flate"
	"io"
)

// packedMark is the first byte of a packed file. No JSON has it.
const packedMark = 0

// Pack returns the texts of a language as packages carry them: compressed, with the same texts in English for what they have in common.
// English itself has nil.
func Pack(texts, english []byte) ([]byte, error) {
	packed := bytes.NewBuffer([]byte{packedMark})
	w, err := flate.NewWriterDict(packed, flate.BestCompression, english)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(texts); err != nil {
		return nil, err
	}
	err = w.Close()
	return packed.Bytes(), err
}

// IsPacked reports whether a file of texts is packed.
func IsPacked(file []byte) bool { return len(file) > 0 && file[0] == packedMark }

// Unpack returns the texts that Pack was given with the same English.
func Unpack(packed, english []byte) ([]byte, error) {
	return io.ReadAll(flate.NewReaderDict(bytes.NewReader(packed[1:]), english))
}
