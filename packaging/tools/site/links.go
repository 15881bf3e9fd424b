package main

import (
	"errors"
	"fmt"
	"html"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// site is all pages while they are made.
type site struct {
	root   string
	paths  map[string]string // of the pages, by those of their files
	pages  map[string]*page
	copies map[string]string // pictures and the like: the path in the repository, and in the site
}

// connect makes the links of files those of pages. It returns all links that lead nowhere.
func (s *site) connect() error {
	var wrong []error
	for name, page := range s.pages {
		links := regexp.MustCompile(`(href|src|srcset)="([^"]*)"`)
		page.body = links.ReplaceAllStringFunc(page.body, func(link string) string {
			what, target, _ := strings.Cut(strings.TrimSuffix(link, `"`), `="`)
			leads, err := s.leads(name, html.UnescapeString(target))
			if err != nil {
				wrong = append(wrong, err)
			}
			return what + `="` + html.EscapeString(leads) + `"`
		})
	}
	slices.SortFunc(wrong, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	return errors.Join(wrong...)
}

// leads returns where a link of a page leads in the site.
func (s *site) leads(from, link string) (string, error) {
	if regexp.MustCompile(`^[a-z]+:`).MatchString(link) {
		return link, nil
	}
	file, anchor, named := strings.Cut(link, "#")
	target := from
	if file != "" {
		target = path.Join(path.Dir(from), file)
	}
	if strings.HasPrefix(target, "..") {
		return "", fmt.Errorf("%s: %s is outside of the repository", from, link)
	}
	if page, ok := s.pages[target]; ok {
		if !named {
			return s.between(from, s.paths[target]), nil
		}
		if !slices.ContainsFunc(page.headings, func(h heading) bool { return h.ID == anchor }) {
			return "", fmt.Errorf("%s: %s has no heading %q", from, target, anchor)
		}
		if target == from {
			return "#" + anchor, nil
		}
		return s.between(from, s.paths[target]) + "#" + anchor, nil
	}
	info, err := fs.Stat(os.DirFS(s.root), target)
	if err != nil {
		return "", fmt.Errorf("%s: %s leads nowhere", from, link)
	}
	if kind := path.Ext(target); !info.IsDir() && slices.Contains([]string{".png", ".svg", ".webp"}, kind) {
		s.copies[target] = "files/" + target
		return s.between(from, s.copies[target]), nil
	}
	where := source + target
	if info.IsDir() {
		where = strings.Replace(where, "/blob/", "/tree/", 1)
	}
	if named {
		where += "#" + anchor
	}
	return where, nil
}

// between returns the way from the page of a file to another path in the site.
func (s *site) between(from, to string) string {
	way, err := filepath.Rel(path.Dir(s.paths[from]), to)
	if err != nil { // both are relative and clean
		return to
	}
	return filepath.ToSlash(way)
}
