package scenarios

import "reflect"

// lay gives the case laid over the file: what the case gives counts, mappings
// are laid over mappings, and everything else is the file's. Neither is changed.
func lay(file, over *entry) entry {
	result := *file
	layStruct(reflect.ValueOf(&result).Elem(), reflect.ValueOf(over).Elem())
	result.ID = over.ID
	return result
}

// layStruct lays the fields of over on those of dest, a copy of the file's part.
func layStruct(dest, over reflect.Value) {
	for i := range over.NumField() {
		from, to := over.Field(i), dest.Field(i)
		switch {
		case !to.CanSet():
		case from.Kind() == reflect.Pointer && from.IsNil():
		case from.Kind() == reflect.Pointer && to.IsNil():
			to.Set(from)
		case from.Kind() == reflect.Pointer:
			both := reflect.New(from.Type().Elem())
			both.Elem().Set(to.Elem())
			layStruct(both.Elem(), from.Elem())
			to.Set(both)
		default:
			if v, ok := from.Addr().Interface().(value); ok && v.Set() {
				to.Set(from)
			}
		}
	}
}
