package vrepo

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// lookalike is the ASCII character that a quote or a dash is easily taken for.
func lookalike(r rune) (plain byte, ok bool) {
	switch r {
	case '‘', '’', '‚', '‛', '′', 'ʼ':
		return '\'', true
	case '“', '”', '„', '‟', '″':
		return '"', true
	case '‐', '‑', '‒', '–', '—', '―', '−':
		return '-', true
	}
	return 0, false
}

// Characters that are drawn like the ASCII ones below them, or nearly so, in some
// typeface. All characters of one table have the same size in UTF-8.
const (
	otherLetters = "ıɑɡµ" + "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαβγεηικμνορστυχωϲϹϳͿ" +
		"АВЕКМНҺОРСТУҮХЅІӀЈԚԜѴЬавгеҽзикмнһопрстуүхѕіӏјԁԛԝѵ" + "ՕՍՏԼօսհոցզյ"
	otherLatin = "iagu" + "ABEZHIKMNOPTYXabyenikuvopotuxwcCjJ" +
		"ABEKMHHOPCTYYXSIIJQWVbabree3ukmhhonpctyyxsiljdqwv" + "OUSLouhngqj"

	cherokeeLetters = "ᎠᎢᎪᎫᎬᎳᎷᎻᏀᏃᏎᏒᏔᏙᏚᏞᏟᏢᏦᏴ"
	cherokeeLatin   = "DTAJEWMHGZ4RWVSLCPKB"
)

// Blocks that copy ASCII, or its letters in both cases over and over.
const (
	fullwidthFirst, fullwidthLast = 0xFF01, 0xFF5E
	mathFirst, mathLast           = 0x1D400, 0x1D6A3 // letters
	digitFirst, digitLast         = 0x1D7CE, 0x1D7FF // mathematical digits
)

// latinLookalike is the ASCII character that a character of another script, or a
// styled copy of ASCII, is taken for. Letter case matters: the Greek capital nu
// looks like N, and the small one like v.
func latinLookalike(r rune) (plain byte, ok bool) {
	switch r {
	case 'ı', 'ɑ', 'ɡ', 'µ':
		return otherLatin[strings.IndexRune(otherLetters, r)/2], true
	case '。':
		return '.', true
	case '、':
		return ',', true
	case '∶':
		return ':', true
	case '∗':
		return '*', true
	case '⁄', '∕':
		return '/', true
	case '‹':
		return '<', true
	case '›':
		return '>', true
	}
	switch {
	case 0x370 <= r && r < 0x590:
		if at := strings.IndexRune(otherLetters, r); at >= 0 {
			return otherLatin[at/2], true
		}
	case 0x13A0 <= r && r < 0x1400:
		if at := strings.IndexRune(cherokeeLetters, r); at >= 0 {
			return cherokeeLatin[at/3], true
		}
	case fullwidthFirst <= r && r <= fullwidthLast:
		return byte(r - fullwidthFirst + '!'), true
	case mathFirst <= r && r <= mathLast:
		const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
		return letters[int(r-mathFirst)%len(letters)], true
	case digitFirst <= r && r <= digitLast:
		return byte('0' + (r-digitFirst)%10), true
	}
	return 0, false
}

// hasLatinLookalike reports whether a text has a character that is no ASCII but
// is taken for it.
func hasLatinLookalike(s string) bool {
	return !isASCII(s) && strings.ContainsFunc(s, func(r rune) bool {
		if r < utf8.RuneSelf {
			return false
		}
		_, ok := latinLookalike(r)
		return ok
	})
}

// scriptName names the script of a letter that is taken for a Latin one.
func scriptName(r rune) string {
	switch {
	case fullwidthFirst <= r && r <= fullwidthLast:
		return "fullwidth"
	case mathFirst <= r && r <= mathLast, digitFirst <= r && r <= digitLast:
		return "mathematical"
	case unicode.Is(unicode.Cyrillic, r):
		return "Cyrillic"
	case unicode.Is(unicode.Greek, r):
		return "Greek"
	case unicode.Is(unicode.Armenian, r):
		return "Armenian"
	case unicode.Is(unicode.Cherokee, r):
		return "Cherokee"
	}
	return ""
}
