// Package find ranks tools for a question. It uses BM25 over their names, titles, descriptions and
// parameters, with stems and common words of the same meaning.
//
// The texts of tools are hostile: only a limited part of each tool counts, and a repeated word counts hardly
// more than once.
package find
