package scenarios

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// fences gives the YAML blocks of a page.
func fences(page string) []string {
	var blocks []string
	for _, part := range strings.Split(page, "\n```yaml\n")[1:] {
		block, _, _ := strings.Cut(part, "\n```")
		blocks = append(blocks, block+"\n")
	}
	return blocks
}

// inPlace puts a block's sections in the place of those of a whole scenario.
func inPlace(whole, block string) string {
	section := regexp.MustCompile(`(?m)^([a-zA-Z]+):.*\n(?:[ \n].*\n?)*`)
	for _, m := range section.FindAllStringSubmatch(block, -1) {
		whole = regexp.MustCompile(`(?m)^`+m[1]+`:.*\n(?:[ \n].*\n?)*`).ReplaceAllString(whole, "")
	}
	return whole + block
}

// Every scenario in the docs loads; a block that is a part of one loads in the
// place of that part of the page's first scenario.
func TestScenariosInDocsLoad(t *testing.T) {
	pages, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	loaded := 0
	for _, name := range append(pages, "../../README.md") {
		page, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		whole := ""
		for i, block := range fences(string(page)) {
			if strings.HasPrefix(block, "apiVersion:") {
				whole = block
			} else {
				block = inPlace(whole, block)
			}
			if _, found := Parse(filepath.Base(name), []byte(block)); found.Failed() {
				t.Errorf("%s, YAML block %d:\n%s\n%s", name, i+1, found, block)
			}
			loaded++
		}
	}
	if loaded == 0 {
		t.Error("no YAML block was found")
	}
}

// Every key of a scenario stands in the pages for its readers.
func TestEveryKeyIsDocumented(t *testing.T) {
	var text strings.Builder
	for _, name := range []string{"scenarios.md", "tools.md", "testing.md"} {
		page, err := os.ReadFile("../../docs/" + name)
		if err != nil {
			t.Fatal(err)
		}
		text.Write(page)
	}
	for _, s := range []*shape{
		documentShape(), repoShape(), fileFormShape(), taskShape(), budgetShape(), limitsShape(), ruleShape(), modelShape(), changeShape(),
		expectShape(), expectEditShape(), expectDecisionShape(), expectEffectShape(), principalShape(), grantShape(), completionShape(),
		toolShape(), needShape(), identityShape(), requireShape(), retryShape(), rateShape(), behaviourShape(), writeShape(),
		failsShape(), rejectsShape(), faultShape(), humanShape(), toolsFileShape(), expectFailShape(), nullAgentShape(), excusesFileShape(), excuseShape(),
	} {
		for _, name := range s.names {
			if !regexp.MustCompile(`\b` + name + `\b`).MatchString(text.String()) {
				t.Errorf("the key %s stands in none of docs/scenarios.md, docs/tools.md and docs/testing.md", name)
			}
		}
	}
}
