package main

import (
	"bytes"
	"fmt"
	"html/template"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// group is a part of the menu: the title of a table of docs/README.md, and its pages.
type group struct {
	Title string
	Pages []entry
}

// entry is a page in the menu.
type entry struct{ file, Title string }

// menu reads the menu from docs/README.md, which is the map of the documentation.
func (s *site) menu() ([]group, error) {
	data, err := os.ReadFile(filepath.Join(s.root, "docs", "README.md"))
	if err != nil {
		return nil, err
	}
	var groups []group
	for line := range strings.Lines(string(data)) {
		cells := strings.Split(line, "|")
		if len(cells) < 4 {
			continue
		}
		if first := strings.TrimSpace(cells[1]); strings.TrimSpace(cells[2]) == "" && !strings.HasPrefix(first, "-") {
			groups = append(groups, group{Title: strings.ToUpper(first[:1]) + first[1:]})
			continue
		}
		for _, link := range regexp.MustCompile(`\[([^\]]+)\]\(([^)#]+\.md)\)`).FindAllStringSubmatch(cells[1], -1) {
			if len(groups) == 0 {
				return nil, fmt.Errorf("docs/README.md has %s above its first title", link[1])
			}
			last := &groups[len(groups)-1]
			title := strings.ToUpper(link[1][:1]) + link[1][1:]
			last.Pages = append(last.Pages, entry{path.Join("docs", link[2]), title})
		}
	}
	if len(groups) == 0 {
		return nil, fmt.Errorf("docs/README.md has no tables")
	}
	groups[0].Pages = append([]entry{{"README.md", "Overview"}}, groups[0].Pages...)
	return groups, nil
}

// found is one part of a page in the search.
type found struct {
	URL   string `json:"u"`
	Page  string `json:"p"`
	Title string `json:"h"`
	Text  string `json:"t"`
}

// index returns everything that can be searched for: pages of the menu first, in its order.
// sorted returns the names of pages in their order.
func sorted(pages map[string]*page) []string { return slices.Sorted(maps.Keys(pages)) }

func (s *site) index(groups []group) []found {
	var all []found
	seen := map[string]bool{}
	add := func(name string) {
		page := s.pages[name]
		if page == nil || seen[name] {
			return
		}
		seen[name] = true
		for _, h := range page.headings {
			url := s.paths[name]
			if h.Level > 1 {
				url += "#" + h.ID
			}
			all = append(all, found{url, page.title, h.Title, strings.TrimSpace(h.Text)})
		}
	}
	for _, group := range groups {
		for _, entry := range group.Pages {
			add(entry.file)
		}
	}
	for _, name := range sorted(s.pages) {
		add(name)
	}
	return all
}

// html makes the whole page.
func (s *site) html(p *page, groups []group) ([]byte, error) {
	text, err := parts.ReadFile("page.html")
	if err != nil {
		return nil, err
	}
	var before, after *entry
	var order []entry
	for _, group := range groups {
		order = append(order, group.Pages...)
	}
	for i := range order {
		if order[i].file == p.name {
			if i > 0 {
				before = &order[i-1]
			}
			if i < len(order)-1 {
				after = &order[i+1]
			}
		}
	}
	parsed, err := template.New("").Funcs(template.FuncMap{
		"to":      func(file string) string { return s.between(p.name, file) },
		"way":     func(e entry) string { return s.between(p.name, s.paths[e.file]) },
		"current": func(e entry) bool { return e.file == p.name },
	}).Parse(string(text))
	if err != nil {
		return nil, err
	}
	root := s.between(p.name, ".")
	var shown []heading // a page of a hundred headings shows those of the second level alone
	for _, h := range p.headings {
		if h.Level == 2 || h.Level == 3 && len(p.headings) <= 30 {
			shown = append(shown, h)
		}
	}
	var b bytes.Buffer
	err = parsed.Execute(&b, map[string]any{
		"Title": p.title, "Lead": p.lead, "Body": template.HTML(p.body), "Parts": shown, "Groups": groups,
		"Root": strings.TrimSuffix(root, "/") + "/", "Before": before, "After": after, "Source": source + p.name,
	})
	return b.Bytes(), err
}
