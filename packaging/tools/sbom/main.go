// Command sbom writes the software bill of materials of a package in the CycloneDX format: the modules from
// which the given programs were built, as Go has stored them in the programs, and which program has which.
//
//	sbom VERSION PROGRAM...
package main

import (
	"cmp"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/CycloneDX/cyclonedx-go"
)

func main() {
	if err := write(os.Stdout, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "sbom:", err)
		os.Exit(1)
	}
}

// write writes the bill. It has no time and no serial number, so that the same programs give the same bill.
func write(w io.Writer, args []string) error {
	if len(args) < 2 {
		return errors.New("usage: sbom VERSION PROGRAM...")
	}
	version, programs := args[0], args[1:]
	modules := map[string]cyclonedx.Component{} // by package URL
	var inside []cyclonedx.Component
	var needs []cyclonedx.Dependency
	product := ""
	for _, program := range programs {
		info, err := buildinfo.ReadFile(program)
		if err != nil {
			return err
		}
		sum, err := sha256Of(program)
		if err != nil {
			return err
		}
		product = info.Main.Path
		var has []string
		for _, module := range modulesOf(info) {
			modules[module.BOMRef] = module
			has = append(has, module.BOMRef)
		}
		slices.Sort(has)
		name := filepath.Base(program)
		inside = append(inside, cyclonedx.Component{
			BOMRef: name, Type: cyclonedx.ComponentTypeFile, Name: name,
			Hashes: &[]cyclonedx.Hash{{Algorithm: cyclonedx.HashAlgoSHA256, Value: sum}},
		})
		needs = append(needs, cyclonedx.Dependency{Ref: name, Dependencies: &has})
	}
	bill := cyclonedx.NewBOM()
	bill.Metadata = &cyclonedx.Metadata{Component: &cyclonedx.Component{
		BOMRef: packageURL(product, version), Type: cyclonedx.ComponentTypeApplication, Name: "Workbench", Version: version,
		PackageURL: packageURL(product, version), Components: &inside,
	}}
	var all []cyclonedx.Component
	for _, module := range modules {
		all = append(all, module)
	}
	slices.SortFunc(all, func(a, b cyclonedx.Component) int { return cmp.Compare(a.BOMRef, b.BOMRef) })
	bill.Components, bill.Dependencies = &all, &needs
	encoder := cyclonedx.NewBOMEncoder(w, cyclonedx.BOMFileFormatJSON)
	encoder.SetPretty(true)
	return encoder.EncodeVersion(bill, cyclonedx.SpecVersion1_6)
}

// modulesOf returns the modules that a program was built from, and Go's own library.
func modulesOf(info *debug.BuildInfo) []cyclonedx.Component {
	library, _, _ := strings.Cut(strings.TrimPrefix(info.GoVersion, "go"), " ")
	found := []cyclonedx.Component{component("std", library)}
	for _, module := range info.Deps {
		if module.Replace != nil {
			module = module.Replace
		}
		one := component(module.Path, module.Version)
		if module.Sum != "" { // the checksum of all files of the module, as in go.sum
			one.Properties = &[]cyclonedx.Property{{Name: "go.sum", Value: module.Sum}}
		}
		found = append(found, one)
	}
	return found
}

func component(path, version string) cyclonedx.Component {
	url := packageURL(path, version)
	return cyclonedx.Component{BOMRef: url, Type: cyclonedx.ComponentTypeLibrary, Name: path, Version: version,
		PackageURL: url}
}

// packageURL returns the name of a module in databases of vulnerabilities.
func packageURL(path, version string) string { return "pkg:golang/" + path + "@" + version }

func sha256Of(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	sum := sha256.New()
	_, err = io.Copy(sum, file)
	return hex.EncodeToString(sum.Sum(nil)), err
}
