package scenarios

import (
	"bytes"
	"encoding/base64"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"harness/internal/event"
	"harness/internal/model"
	"harness/internal/runner"
	"harness/internal/strictjson"
)

// model is the scripted model.
func (s *Script) model() *yaml.Node {
	items := &yaml.Node{Kind: yaml.SequenceNode}
	for _, raw := range s.Items {
		items.Content = append(items.Content, itemNode(raw))
	}
	if len(s.Items) == 0 {
		items.Style = yaml.FlowStyle
	}
	return mappingNode(0, "script", items)
}

// itemNode is an output as an item of a script: the value that is written so, or the
// bytes.
func itemNode(raw []byte) *yaml.Node {
	v, fault := strictjson.Parse(raw)
	if fault == nil && bytes.Equal(strictjson.AppendCanonical(nil, v), raw) && sayable(v) {
		return valueNode(v, saidText)
	}
	if text := string(raw); utf8.ValidString(text) {
		return mappingNode(yaml.FlowStyle, "raw", quotedText(text))
	}
	return mappingNode(yaml.FlowStyle, "rawBase64", quotedText(base64.StdEncoding.EncodeToString(raw)))
}

// sayable reports whether a value means itself as an item: a mapping has keys of its
// own there, and a text that begins like an escaped reference has no other spelling.
func sayable(v strictjson.Value) bool {
	for _, key := range []string{"raw", "rawBase64", "repeat"} {
		if _, is := v.Get(key); is {
			return false
		}
	}
	return !escapes(v)
}

func escapes(v strictjson.Value) bool {
	return strings.HasPrefix(v.Str(), "$${") || slices.ContainsFunc(v.Items(), escapes) ||
		slices.ContainsFunc(v.Members(), func(m strictjson.Member) bool { return escapes(m.Value) })
}

// saidText is a text of a script, which means itself and no reference.
func saidText(text string) *yaml.Node {
	if _, whole, _ := model.ParseReference(text); whole {
		text = "$" + text
	}
	return quotedText(text)
}

// valueNode is a JSON value in flow style, its texts written by a rule.
func valueNode(v strictjson.Value, text func(string) *yaml.Node) *yaml.Node {
	switch v.Kind() {
	case strictjson.String:
		return text(v.Str())
	case strictjson.Array:
		n := &yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle}
		for _, item := range v.Items() {
			n.Content = append(n.Content, valueNode(item, text))
		}
		return n
	case strictjson.Object:
		n := &yaml.Node{Kind: yaml.MappingNode, Style: yaml.FlowStyle}
		for _, m := range typeFirst(v.Members()) {
			n.Content = append(n.Content, quotedText(m.Name), valueNode(m.Value, text))
		}
		return n
	default: // JSON spells these as YAML does
		return &yaml.Node{Kind: yaml.ScalarNode, Value: string(strictjson.AppendCanonical(nil, v))}
	}
}

// typeFirst is members with the one that says what kind of action it is in front.
func typeFirst(members []strictjson.Member) []strictjson.Member {
	i := slices.IndexFunc(members, func(m strictjson.Member) bool { return m.Name == "type" })
	if i <= 0 {
		return members
	}
	return slices.Concat(members[i:i+1], members[:i], members[i+1:])
}

// human is what persons answer.
func (s *Script) human() *yaml.Node {
	list := &yaml.Node{Kind: yaml.SequenceNode}
	for i := range s.Human {
		list.Content = append(list.Content, replyNode(&s.Human[i]))
	}
	return list
}

func replyNode(r *runner.Reply) *yaml.Node {
	says := "approve"
	switch r.Verdict {
	case event.Declined:
		says = "decline"
	case event.Postponed:
		says = "postpone"
	}
	n := mappingNode(yaml.FlowStyle, "says", plainText(says))
	text := func(key, value string) {
		if value != "" {
			n.Content = append(n.Content, plainText(key), quotedText(value))
		}
	}
	text("by", r.By)
	text("reason", r.Reason)
	if r.After > 0 {
		text("after", r.After.String())
	}
	text("request", r.Request)
	text("seen", r.Seen)
	if !r.Arguments.IsZero() {
		n.Content = append(n.Content, plainText("arguments"), valueNode(r.Arguments, quotedText))
	}
	for _, part := range []struct {
		key   string
		value *string
	}{{"run", r.Run}, {"session", r.Session}, {"principal", r.Principal}, {"tenant", r.Tenant}, {"version", r.Version}} {
		if part.value != nil {
			n.Content = append(n.Content, plainText(part.key), quotedText(*part.value))
		}
	}
	if r.OtherDefinition {
		text("definition", "other")
	}
	if r.OtherPolicy {
		text("policy", "other")
	}
	return n
}

// addOrder has a person order the run to stop.
func (s *Script) addOrder(root *yaml.Node) {
	when, value := "afterStep", strconv.Itoa(s.CancelAfter)
	if s.CancelAt > 0 {
		when, value = "at", s.CancelAt.String()
	}
	order := mappingNode(yaml.FlowStyle, when, &yaml.Node{Kind: yaml.ScalarNode, Value: value})
	order.Content = append(order.Content, plainText("cancel"), plainText("run"), plainText("by"), plainText("explorer"))
	list := listAt(root, "changes")
	list.Content = append(list.Content, order)
}

// listAt is the list of a mapping's key, a new one if there is none.
func listAt(root *yaml.Node, key string) *yaml.Node {
	list := at(root, key)
	if list == nil || list.Kind != yaml.SequenceNode {
		list = &yaml.Node{Kind: yaml.SequenceNode}
		put(root, key, list)
	}
	return list
}

func mappingNode(style yaml.Style, key string, value *yaml.Node) *yaml.Node {
	return &yaml.Node{Kind: yaml.MappingNode, Style: style, Content: []*yaml.Node{plainText(key), value}}
}

// plainText is a text that needs no quotes.
func plainText(text string) *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Value: text} }

// quotedText is a text in double quotes, in which every character has a spelling.
func quotedText(text string) *yaml.Node {
	if isWord(text) {
		return plainText(text)
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Style: yaml.DoubleQuotedStyle, Value: text}
}

// isWord reports whether a text is letters with digits, and marks that paths have,
// behind them, and no word that YAML takes for something else.
func isWord(text string) bool {
	for i := range len(text) {
		c := text[i]
		letter := 'a' <= c|0x20 && c|0x20 <= 'z'
		if !letter && (i == 0 || (c < '0' || c > '9') && c != '/' && c != '.' && c != '_' && c != '-') {
			return false
		}
	}
	switch strings.ToLower(text) {
	case "", "true", "false", "null", "yes", "no", "on", "off", "y", "n":
		return false
	}
	return true
}
