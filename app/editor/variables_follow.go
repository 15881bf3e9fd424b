package editor

import (
	"slices"
)

func (v *variables) follow(entry Entry) {
	value, there := entry.Get(v.key)
	v.odd = there && value.Kind != '{'
	v.there = map[string]bool{}
	values := map[string]Value{}
	var names []string
	for _, member := range value.Members {
		if !v.there[member.Name] { // the second of two with one name doesn't count
			names, values[member.Name] = append(names, member.Name), member.Value
		}
		v.there[member.Name] = true
	}
	// Which row is about which name of the file.
	rows := map[string]*variable{}
	for _, row := range v.rows {
		if row.file != "" && v.there[row.file] {
			rows[row.file] = row
		}
	}
	for _, row := range v.rows {
		if row.file != "" && v.there[row.file] {
			continue
		}
		for _, name := range append([]string{row.name.text}, row.name.underWay()...) {
			if v.there[name] && rows[name] == nil && name != "" {
				rows[name] = row
				if row.file == "" {
					row.value.base = ""
				}
				row.file = name
				break
			}
		}
	}
	var ordered []*variable
	done := map[*variable]bool{}
	for _, name := range names {
		row := rows[name]
		if row == nil {
			row = v.insert(len(v.rows))
			v.rows = v.rows[:len(v.rows)-1]
		}
		row.file = name
		row.raw = !values[name].String
		row.name.follow(name)
		row.value.follow(values[name].Text)
		ordered, done[row] = append(ordered, row), true
	}
	for i, row := range v.rows {
		if done[row] {
			continue
		}
		if row.file != "" {
			// The file has it no more. What the user has typed stays, until the user says what is to be.
			if !row.value.lost() && !row.name.lost() {
				continue
			}
			row.file = ""
			row.name.base = ""
			row.value.gone, row.name.gone = true, false
		} else if row.name.yield && row.name.sent == nil && row.name.text == "" {
			continue
		}
		at := len(ordered)
		if i > 0 {
			if before := slices.Index(ordered, v.rows[i-1]); before >= 0 {
				at = before + 1
			}
		} else {
			at = 0
		}
		ordered, done[row] = slices.Insert(ordered, at, row), true
	}
	v.rows, v.spare = ordered, nil
	v.arrange()
}
