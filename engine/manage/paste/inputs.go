package paste

// inputs are what VS Code asks for when a server is started, by their ids.
type inputs map[string]input

type input struct {
	description string
	value       string // the default
	secret      bool
	options     []string
}

// inputs reads the "inputs" of a configuration.
func (n *node) inputs() inputs {
	list := n.member("inputs")
	if list == nil || list.kind != '[' {
		return nil
	}
	found := inputs{}
	for _, item := range list.items {
		id := item.string2("id")
		if id == "" {
			continue
		}
		in := input{description: item.string2("description"), value: item.string2("default")}
		password := item.member("password")
		in.secret = password != nil && password.kind == 't'
		if options := item.member("options"); options != nil {
			for _, option := range options.items {
				if text := option.string(); text != "" {
					in.options = append(in.options, text)
				} else if text := option.string2("value"); text != "" {
					in.options = append(in.options, text)
				}
			}
		}
		found[id] = in
	}
	return found
}

// with adds further inputs, which win.
func (in inputs) with(more inputs) inputs {
	if len(more) == 0 {
		return in
	}
	all := inputs{}
	for id, i := range in {
		all[id] = i
	}
	for id, i := range more {
		all[id] = i
	}
	return all
}
