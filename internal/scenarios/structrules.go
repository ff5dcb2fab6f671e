package scenarios

import (
	"errors"
	"reflect"
	"strconv"
	"strings"
	"sync"

	"github.com/go-playground/validator/v10"

	"harness/internal/diag"
	"harness/internal/strictjson"
)

// structRules is the one instance; it is dear to make, so that a program which
// reads no scenario does not.
var structRules = sync.OnceValue(func() *validator.Validate {
	return validator.New(validator.WithRequiredStructEnabled())
})

// rules asks a part's struct rules and reports what they find at the place of
// the field, or of the part where a field is missing.
func (d *decoder) rules(dest mapping) {
	var broken validator.ValidationErrors
	if !errors.As(structRules().Struct(dest), &broken) {
		return
	}
	v := reflect.ValueOf(dest).Elem()
	for _, b := range broken {
		f, ok := v.FieldByName(b.StructField()).Interface().(value)
		if !ok || f.refused() {
			continue
		}
		declared, _ := v.Type().FieldByName(b.StructField())
		name := declared.Tag.Get("yaml")
		if b.Tag() == "required" {
			pos := v.FieldByName("Pos").Interface().(diag.Pos)
			d.faultAt(pos, MissingKey, "needs the key "+name, "")
			continue
		}
		d.in(name)
		d.broken(f, b)
		d.out()
	}
}

// broken reports a value outside its rule.
func (d *decoder) broken(f value, b validator.FieldError) {
	given, isText := f.(Text)
	shown := ""
	if isText {
		shown = ", got " + strictjson.Quote(given.Value)
	} else if n, ok := f.(Number); ok {
		shown = ", got " + strconv.Itoa(n.Value)
	}
	switch b.Tag() {
	case "min":
		if isText {
			d.faultAt(f.position(), InvalidValue, "must not be empty", "")
			return
		}
		d.faultAt(f.position(), InvalidValue, "must be at least "+b.Param()+shown, "")
	case "max":
		d.faultAt(f.position(), InvalidValue, "must be at most "+b.Param()+shown, "")
	case "oneof":
		words := strings.Fields(b.Param())
		d.faultAt(f.position(), InvalidValue, "must be "+strings.Join(words, " or ")+shown, nearHint(given.Value, words, ""))
	default:
		d.faultAt(f.position(), InvalidValue, "breaks the rule "+b.Tag()+shown, "")
	}
}
