// Command image writes the engine as an image for containers, for several processors, in the OCI layout that
// podman, skopeo and docker read. The image has the program, the certificate authorities that browsers trust, and
// nothing else: no shell, and no programs that servers need.
//
//	image VERSION FILE LICENCES PROCESSOR=PROGRAM...
//
// The same programs give the same image: SOURCE_DATE_EPOCH is the time of everything in it.
package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/crypto/x509roots/fallback/bundle"
)

func main() {
	if err := write(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "image:", err)
		os.Exit(1)
	}
}

// The documents of the OCI image format.
type (
	descriptor struct {
		MediaType   string            `json:"mediaType"`
		Digest      string            `json:"digest"`
		Size        int               `json:"size"`
		Platform    *platform         `json:"platform,omitempty"`
		Annotations map[string]string `json:"annotations,omitempty"`
	}
	platform struct {
		Architecture string `json:"architecture"`
		OS           string `json:"os"`
	}
	index struct {
		SchemaVersion int          `json:"schemaVersion"`
		MediaType     string       `json:"mediaType"`
		Manifests     []descriptor `json:"manifests"`
	}
	manifest struct {
		SchemaVersion int          `json:"schemaVersion"`
		MediaType     string       `json:"mediaType"`
		Config        descriptor   `json:"config"`
		Layers        []descriptor `json:"layers"`
	}
	configuration struct {
		Created string `json:"created"`
		platform
		Config struct {
			User       string
			Env        []string
			Entrypoint []string
			Cmd        []string
			WorkingDir string
			Labels     map[string]string
		} `json:"config"`
		RootFS struct {
			Type    string   `json:"type"`
			DiffIDs []string `json:"diff_ids"`
		} `json:"rootfs"`
		History []struct {
			Created   string `json:"created"`
			CreatedBy string `json:"created_by"`
		} `json:"history"`
	}
)

const (
	kind         = "application/vnd.oci.image."
	indexType    = kind + "index.v1+json"
	manifestType = kind + "manifest.v1+json"
)

// layout is an image that is being written.
type layout struct {
	archive  *tar.Writer
	time     time.Time
	licences []byte
}

func write(args []string) (err error) {
	if len(args) < 4 {
		return errors.New("usage: image VERSION FILE LICENCES PROCESSOR=PROGRAM...")
	}
	licences, err := os.ReadFile(args[2])
	if err != nil {
		return err
	}
	seconds, err := strconv.ParseInt(os.Getenv("SOURCE_DATE_EPOCH"), 10, 64)
	if err != nil {
		return fmt.Errorf("SOURCE_DATE_EPOCH: %w", err)
	}
	file, err := os.Create(args[1])
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	l := layout{archive: tar.NewWriter(file), time: time.Unix(seconds, 0).UTC(), licences: licences}
	all := index{SchemaVersion: 2, MediaType: indexType}
	for _, arg := range args[3:] {
		processor, program, ok := strings.Cut(arg, "=")
		if !ok {
			return fmt.Errorf("%q is not PROCESSOR=PROGRAM", arg)
		}
		one, err := l.image(args[0], processor, program)
		if err != nil {
			return err
		}
		all.Manifests = append(all.Manifests, one)
	}
	inner, err := l.document(indexType, all)
	if err != nil {
		return err
	}
	inner.Annotations = map[string]string{"org.opencontainers.image.ref.name": args[0]}
	outer, err := json.Marshal(index{SchemaVersion: 2, MediaType: indexType, Manifests: []descriptor{inner}})
	if err != nil {
		return err
	}
	return errors.Join(l.add(l.archive, "index.json", outer, 0o644),
		l.add(l.archive, "oci-layout", []byte(`{"imageLayoutVersion":"1.0.0"}`), 0o644), l.archive.Close())
}

// image writes the image for one processor.
func (l layout) image(version, processor, program string) (descriptor, error) {
	content, err := os.ReadFile(program)
	if err != nil {
		return descriptor{}, err
	}
	var layer bytes.Buffer
	files := tar.NewWriter(&layer)
	err = errors.Join(
		l.add(files, "etc/passwd", []byte("workbench:x:65532:65532::/home/workbench:\n"), 0o644),
		l.add(files, "etc/ssl/certs/ca-certificates.crt", authorities(), 0o644),
		files.WriteHeader(&tar.Header{Typeflag: tar.TypeDir, Name: "home/workbench/", Mode: 0o700, Uid: 65532, Gid: 65532,
			ModTime: l.time}),
		files.WriteHeader(&tar.Header{Typeflag: tar.TypeDir, Name: "tmp/", Mode: 0o1777, ModTime: l.time}),
		l.add(files, "usr/bin/workbench-engine", content, 0o755),
		l.add(files, "usr/share/doc/workbench-engine/licences.md", l.licences, 0o644),
		files.Close())
	if err != nil {
		return descriptor{}, err
	}
	var packed bytes.Buffer
	zipped := gzip.NewWriter(&packed)
	if _, err := zipped.Write(layer.Bytes()); err != nil {
		return descriptor{}, err
	}
	if err := zipped.Close(); err != nil {
		return descriptor{}, err
	}
	layers, err := l.blob(kind+"layer.v1.tar+gzip", packed.Bytes())
	if err != nil {
		return descriptor{}, err
	}
	created := l.time.Format(time.RFC3339)
	on := platform{Architecture: processor, OS: "linux"}
	c := configuration{Created: created, platform: on}
	c.Config.User = "65532:65532"
	c.Config.Env = []string{"PATH=/usr/bin", "HOME=/home/workbench"}
	c.Config.Entrypoint, c.Config.Cmd = []string{"/usr/bin/workbench-engine"}, []string{"stdio"}
	c.Config.WorkingDir = "/home/workbench"
	c.Config.Labels = map[string]string{
		"org.opencontainers.image.title":    "workbench-engine",
		"org.opencontainers.image.version":  version,
		"org.opencontainers.image.source":   "https://github.com/workbench-mcp/workbench-desktop",
		"org.opencontainers.image.licenses": "MIT",
	}
	c.RootFS.Type, c.RootFS.DiffIDs = "layers", []string{digest(layer.Bytes())}
	c.History = append(c.History, struct {
		Created   string `json:"created"`
		CreatedBy string `json:"created_by"`
	}{created, "packaging/tools/image"})
	config, err := l.document(kind+"config.v1+json", c)
	if err != nil {
		return descriptor{}, err
	}
	one, err := l.document(manifestType, manifest{SchemaVersion: 2, MediaType: manifestType, Config: config,
		Layers: []descriptor{layers}})
	one.Platform = &on
	return one, err
}

// document writes a JSON document of the image.
func (l layout) document(mediaType string, document any) (descriptor, error) {
	data, err := json.Marshal(document)
	if err != nil {
		return descriptor{}, err
	}
	return l.blob(mediaType, data)
}

// blob writes something by the name of its sum.
func (l layout) blob(mediaType string, data []byte) (descriptor, error) {
	sum := digest(data)
	err := l.add(l.archive, "blobs/"+strings.Replace(sum, ":", "/", 1), data, 0o644)
	return descriptor{MediaType: mediaType, Digest: sum, Size: len(data)}, err
}

func (l layout) add(archive *tar.Writer, name string, data []byte, mode int64) error {
	if err := archive.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: name, Mode: mode, Size: int64(len(data)),
		ModTime: l.time}); err != nil {
		return err
	}
	_, err := archive.Write(data)
	return err
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// authorities returns Mozilla's list of certificate authorities, from Go's own copy.
func authorities() []byte {
	var all bytes.Buffer
	for root := range bundle.Roots() {
		// The bundle also says of some until when they are trusted. A file of certificates cannot, so they are left out.
		if root.Constraint == nil {
			_ = pem.Encode(&all, &pem.Block{Type: "CERTIFICATE", Bytes: root.Certificate}) // a buffer takes everything
		}
	}
	return all.Bytes()
}
