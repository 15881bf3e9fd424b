package tryit

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/manage/toolform"
)

// Result is the answer of a tool, ready to be shown. Nothing changes a Result after it was made.
type Result struct {
	Failed bool // the tool itself reports an error
	Blocks []Block
	Bytes  int    // size of the answer
	Whole  string // the answer as indented JSON
}

// BlockKind is how a part of a result is shown.
type BlockKind int

// The values of a BlockKind, with the fields that they use.
const (
	BlockText  BlockKind = iota // Text
	BlockJSON                   // Text is indented JSON
	BlockTable                  // Table; Text is the JSON that it was made from
	BlockImage                  // Image, or Problem if it cannot be shown
	BlockAudio                  // Data
	BlockLink                   // URI, Name and Description
	BlockFile                   // Data of an embedded resource that is neither text nor an image
)

// Block is a part of a result. Its texts come from the server: they may be of any length and must not be used as
// markup.
type Block struct {
	Kind BlockKind

	Text  string // see the kinds
	Lines int    // of a BlockText
	Raw   string // the original text, to be copied and saved; if empty, it is Text

	Table   *Table
	Image   *Picture
	Data    []byte // of images, audio and files
	Problem string // a sentence that says why an image cannot be shown

	MIME, URI, Name, Description string
}

// Limits. What is beyond them is left out or shown as plain text.
const (
	maxBlocks = 200
	maxParsed = 4 << 20 // bytes of text that is parsed as JSON
)

// Read reads the answer to tools/call, which may be any bytes. It is slow for a big answer, so call it in the
// background.
func Read(result json.RawMessage) Result {
	read := Result{Bytes: len(result)}
	var whole struct {
		Content    []json.RawMessage `json:"content"`
		Structured json.RawMessage   `json:"structuredContent"`
		IsError    bool              `json:"isError"`
	}
	if err := json.Unmarshal(result, &whole); err != nil {
		// Show what there is. That helps more than an error would.
		read.Whole = string(result)
		if json.Valid(result) {
			read.Whole = toolform.Pretty(result)
			read.Blocks = []Block{jsonBlock(result)}
		} else {
			read.Blocks = []Block{textBlock(string(result))}
		}
		return read
	}
	read.Whole = toolform.Pretty(result)
	read.Failed = whole.IsError
	structured := len(whole.Structured) > 0 && string(whole.Structured) != "null"
	if structured {
		read.Blocks = append(read.Blocks, jsonBlock(whole.Structured))
	}
	allowed := newAllowance()
	for i, raw := range whole.Content {
		if i == maxBlocks {
			break
		}
		block := readBlock(raw, allowed)
		// Servers repeat structured content as text, for clients that do not support it.
		if structured && block.Raw != "" && sameJSON(block.Raw, whole.Structured) {
			continue
		}
		read.Blocks = append(read.Blocks, block)
	}
	return read
}

// content is an item of a result's content, of any kind.
type content struct {
	Type        string `json:"type"`
	Text        string `json:"text"`
	Data        string `json:"data"`
	MIME        string `json:"mimeType"`
	URI         string `json:"uri"`
	Name        string `json:"name"`
	Title       string `json:"title"`
	Description string `json:"description"`
	Resource    *struct {
		URI  string  `json:"uri"`
		MIME string  `json:"mimeType"`
		Text *string `json:"text"`
		Blob string  `json:"blob"`
	} `json:"resource"`
}

// readBlock reads an item. It subtracts the cost of images from the allowance.
func readBlock(raw json.RawMessage, allowed *allowance) Block {
	var item content
	if err := json.Unmarshal(raw, &item); err != nil {
		return otherBlock(raw)
	}
	switch {
	case item.Type == "text":
		return readText(item.Text)
	case item.Type == "image":
		return imageBlock(item.Data, item.MIME, allowed)
	case item.Type == "audio":
		return Block{Kind: BlockAudio, Data: decodeData(item.Data), MIME: item.MIME}
	case item.Type == "resource_link":
		name := item.Title
		if name == "" {
			name = item.Name
		}
		return Block{Kind: BlockLink, URI: item.URI, Name: name, Description: item.Description, MIME: item.MIME}
	case item.Type == "resource" && item.Resource != nil:
		var block Block
		switch resource := item.Resource; {
		case resource.Text != nil:
			block = readText(*resource.Text)
		case strings.HasPrefix(resource.MIME, "image/"):
			block = imageBlock(resource.Blob, resource.MIME, allowed)
		default:
			block = Block{Kind: BlockFile, Data: decodeData(resource.Blob)}
		}
		block.URI, block.MIME = item.Resource.URI, item.Resource.MIME
		return block
	}
	return otherBlock(raw)
}

// readText returns a block for text. If the text is JSON, the block shows it as JSON.
func readText(text string) Block {
	trimmed := strings.TrimSpace(text)
	if len(trimmed) > 1 && len(trimmed) <= maxParsed && (trimmed[0] == '{' || trimmed[0] == '[') &&
		json.Valid([]byte(trimmed)) {
		block := jsonBlock(json.RawMessage(trimmed))
		block.Raw = text
		return block
	}
	return textBlock(text)
}

func textBlock(text string) Block {
	return Block{Kind: BlockText, Text: text, Lines: strings.Count(text, "\n") + 1}
}

func jsonBlock(raw json.RawMessage) Block {
	block := Block{Kind: BlockJSON, Text: toolform.Pretty(raw), Raw: string(raw)}
	if len(raw) <= maxParsed {
		table := readTable(raw)
		if table == nil {
			table = readPairs(raw)
		}
		if table != nil {
			block.Kind, block.Table = BlockTable, table
		}
	}
	return block
}

func otherBlock(raw json.RawMessage) Block {
	block := jsonBlock(raw)
	block.Kind, block.Table = BlockJSON, nil
	return block
}

// sameJSON reports whether text is the JSON of value, apart from white space.
func sameJSON(text string, value json.RawMessage) bool {
	var a, b bytes.Buffer
	return json.Compact(&a, []byte(text)) == nil && json.Compact(&b, value) == nil && bytes.Equal(a.Bytes(), b.Bytes())
}
