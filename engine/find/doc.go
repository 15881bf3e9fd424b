// Package find ranks tools by what somebody asks for: BM25 over their names, titles, descriptions and parameters, with stems and common words of the
// same meaning.
//
// The words of tools are hostile: of each tool so much counts and no more, and words that come often count hardly more than once.
package find
