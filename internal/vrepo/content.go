package vrepo

import (
	"crypto/sha256"
	"encoding/hex"
	"sort"
	"strings"
	"sync"
	"unicode/utf8"
	"unsafe"
)

// Encoding is what a content's bytes are.
type Encoding uint8

// The encodings. The zero value is unset and invalid.
const (
	UTF8    Encoding = iota + 1
	NotUTF8          // not valid UTF-8, such as Latin-1
	Binary           // has a NUL byte
	UTF16LE          // starts with the byte order mark of UTF-16, little end first
	UTF16BE          // starts with the byte order mark of UTF-16, big end first
)

// String is the name that observations use.
func (e Encoding) String() string {
	switch e {
	case UTF8:
		return "utf-8"
	case NotUTF8:
		return "not-utf-8"
	case Binary:
		return "binary"
	case UTF16LE:
		return "utf-16le"
	case UTF16BE:
		return "utf-16be"
	}
	return "unset"
}

// byteOrderMark is U+FEFF in UTF-8.
const byteOrderMark = "\uFEFF"

// blockSize is how many bytes lie between two entries of the line index.
const blockSize = 64 << 10

// content is one version of a file's bytes and what is known of it.
type content struct {
	text string

	hashOnce sync.Once
	hash     string

	encodingOnce sync.Once
	encoding     Encoding
	firstBad     int

	linesOnce sync.Once
	breaks    int   // line feeds in the text
	before    []int // before[k] is how many of them stand before block k

	endingsOnce sync.Once
	endings     endings
}

// Text is the whole content, raw.
func (c *content) Text() string { return c.text }

// Size is the content's length in bytes.
func (c *content) Size() int { return len(c.text) }

// Hash is the SHA-256 of the raw bytes in lowercase hex.
func (c *content) Hash() string {
	c.hashOnce.Do(func() {
		sum := sha256.Sum256(bytesOf(c.text))
		c.hash = hex.EncodeToString(sum[:])
	})
	return c.hash
}

// bytesOf is the string's memory without a copy, to read only.
func bytesOf(s string) []byte {
	return unsafe.Slice(unsafe.StringData(s), len(s))
}

// Encoding says what the bytes are. The whole content is looked at.
func (c *content) Encoding() Encoding {
	c.encodingOnce.Do(func() { c.encoding, c.firstBad = classify(c.text) })
	return c.encoding
}

// FirstBad is the offset of the byte that makes the content other than UTF-8:
// the first NUL of a binary one, else the first invalid byte, or the byte order
// mark of UTF-16; -1 for UTF-8.
func (c *content) FirstBad() int {
	c.Encoding()
	return c.firstBad
}

func classify(text string) (encoding Encoding, firstBad int) {
	nul := strings.IndexByte(text, 0)
	switch {
	case strings.HasPrefix(text, "\xFF\xFE") && !strings.HasPrefix(text, "\xFF\xFE\x00\x00"):
		return UTF16LE, 0
	case strings.HasPrefix(text, "\xFE\xFF"):
		return UTF16BE, 0
	case nul >= 0:
		return Binary, nul
	case utf8.ValidString(text):
		return UTF8, -1
	}
	for i, r := range text {
		if r != utf8.RuneError {
			continue
		}
		if _, size := utf8.DecodeRuneInString(text[i:]); size == 1 {
			return NotUTF8, i
		}
	}
	return UTF8, -1
}

// BOM reports whether the content starts with UTF-8's byte order mark.
func (c *content) BOM() bool { return strings.HasPrefix(c.text, byteOrderMark) }

// EOL says how lines end: "lf", "crlf", "cr", "mixed", or "none" if nothing
// ends a line. A carriage return inside a line counts as a "cr" ending.
func (c *content) EOL() string { return c.lineEndings().String() }

func (c *content) lineEndings() endings {
	c.endingsOnce.Do(func() { c.endings = endingsOf(c.text) })
	return c.endings
}

// endings counts the line endings of a text by kind.
type endings struct{ lf, crlf, cr int }

func endingsOf(text string) endings {
	e := endings{lf: strings.Count(text, "\n"), cr: strings.Count(text, "\r")}
	if e.cr > 0 {
		e.crlf = strings.Count(text, "\r\n")
	}
	e.lf -= e.crlf
	e.cr -= e.crlf
	return e
}

func (e endings) String() string {
	switch (endings{min(e.lf, 1), min(e.crlf, 1), min(e.cr, 1)}) {
	case endings{}:
		return "none"
	case endings{lf: 1}:
		return "lf"
	case endings{crlf: 1}:
		return "crlf"
	case endings{cr: 1}:
		return "cr"
	}
	return "mixed"
}

// Lines is how many lines an editor shows, a final line feed not starting a new
// one: 0 for "", 1 for "a" and for "a\n". Only a line feed ends a line.
func (c *content) Lines() int {
	c.indexLines()
	if c.text == "" || c.text[len(c.text)-1] == '\n' {
		return c.breaks
	}
	return c.breaks + 1
}

// indexLines counts the line feeds block by block.
func (c *content) indexLines() {
	c.linesOnce.Do(func() {
		c.before = make([]int, 0, len(c.text)/blockSize+1)
		for from := 0; from < len(c.text); from += blockSize {
			c.before = append(c.before, c.breaks)
			c.breaks += strings.Count(c.text[from:min(from+blockSize, len(c.text))], "\n")
		}
	})
}

// LineAt is the line of the byte at offset, from 1. The place behind a final
// line feed is on the line that would follow. An offset outside the content
// counts as its nearest end.
func (c *content) LineAt(offset int) int {
	c.indexLines()
	offset = min(max(offset, 0), len(c.text))
	if len(c.before) == 0 {
		return 1
	}
	block := min(offset/blockSize, len(c.before)-1)
	return c.before[block] + strings.Count(c.text[block*blockSize:offset], "\n") + 1
}

// ColumnAt is the column of the byte at offset: code points from 1.
func (c *content) ColumnAt(offset int) int {
	offset = min(max(offset, 0), len(c.text))
	return utf8.RuneCountInString(c.text[lineStart(c.text, offset):offset]) + 1
}

// lineStart is the offset of the first byte of the line that offset is on.
func lineStart(text string, offset int) int {
	return strings.LastIndexByte(text[:offset], '\n') + 1
}

// lineEnd is the offset after the line that offset is on, its line feed included.
func lineEnd(text string, offset int) int {
	if n := strings.IndexByte(text[offset:], '\n'); n >= 0 {
		return offset + n + 1
	}
	return len(text)
}

// startOf is the offset of the first byte of a line that exists.
func (c *content) startOf(line int) int {
	c.indexLines()
	skip := line - 1 // line feeds before it
	if skip <= 0 {
		return 0
	}
	block := sort.SearchInts(c.before, skip) - 1 // the last block with fewer before it
	at := block * blockSize
	skip -= c.before[block]
	const stride = blockSize / 16
	for n := 0; ; skip, at = skip-n, at+stride {
		n = strings.Count(c.text[at:min(at+stride, len(c.text))], "\n")
		if n >= skip {
			break
		}
	}
	for range skip {
		at = lineEnd(c.text, at)
	}
	return at
}
