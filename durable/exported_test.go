package durable_test

import (
	"go/types"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	_ "github.com/tributary-agents/tributary/durable/chat" // so that a change of it, or of agent, runs the test again
)

// TestExported checks that what an author of agents writes against is the packages' own: no exported
// name mentions a type of an internal package, and none is an alias, whose documentation would stand
// in another package.
func TestExported(t *testing.T) {
	config := &packages.Config{Mode: packages.NeedName | packages.NeedTypes | packages.NeedImports}
	loaded, err := packages.Load(config, project+"durable/agent", project+"durable/chat")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range loaded {
		if len(p.Errors) > 0 || p.Types.Scope().Len() == 0 {
			t.Fatalf("%s: nothing was read: %v", p.PkgPath, p.Errors)
		}
		for _, wrong := range leaks(p.Types) {
			t.Errorf("%s: %s", strings.TrimPrefix(p.PkgPath, project), wrong)
		}
	}
}

// leaks says which exported names of a package are aliases or mention internal types.
func leaks(p *types.Package) (wrong []string) {
	for _, name := range p.Scope().Names() {
		object := p.Scope().Lookup(name)
		if !object.Exported() {
			continue
		}
		for _, internal := range mentioned(object.Type(), nil) {
			wrong = append(wrong, name+" mentions "+internal)
		}
		declared, isType := object.(*types.TypeName)
		switch {
		case !isType:
			continue
		case declared.IsAlias():
			wrong = append(wrong, name+" is an alias")
			continue
		}
		for _, internal := range mentioned(object.Type().Underlying(), nil) {
			wrong = append(wrong, name+" mentions "+internal)
		}
		methods := types.NewMethodSet(types.NewPointer(object.Type()))
		for i := range methods.Len() {
			method := methods.At(i).Obj()
			if !method.Exported() {
				continue
			}
			for _, internal := range mentioned(method.Type(), nil) {
				wrong = append(wrong, name+"."+method.Name()+" mentions "+internal)
			}
		}
	}
	return wrong
}

// mentioned adds to a list the named types of internal packages that a reader of the type sees.
// Fields that are not exported are not seen.
func mentioned(t types.Type, list []string) []string {
	switch t := t.(type) {
	case *types.Alias:
		list = mentioned(types.Unalias(t), list)
	case *types.Named:
		list = append(list, internal(t.Obj())...)
		for arg := range t.TypeArgs().Types() {
			list = mentioned(arg, list)
		}
	case *types.TypeParam:
		list = mentioned(t.Constraint(), list)
	case *types.Struct:
		for field := range t.Fields() {
			if field.Exported() {
				list = mentioned(field.Type(), list)
			}
		}
	case *types.Interface:
		for method := range t.ExplicitMethods() {
			if method.Exported() {
				list = mentioned(method.Type(), list)
			}
		}
		for embedded := range t.EmbeddedTypes() {
			list = mentioned(embedded, list)
		}
	case *types.Signature:
		for v := range t.Params().Variables() {
			list = mentioned(v.Type(), list)
		}
		for v := range t.Results().Variables() {
			list = mentioned(v.Type(), list)
		}
	case *types.Map:
		list = mentioned(t.Elem(), mentioned(t.Key(), list))
	case interface{ Elem() types.Type }: // a pointer, slice, array or channel
		list = mentioned(t.Elem(), list)
	}
	return list
}

// internal returns the name if its package is internal to the project.
func internal(name *types.TypeName) []string {
	if name.Pkg() == nil || !strings.HasPrefix(name.Pkg().Path(), project+"durable/internal/") {
		return nil
	}
	return []string{strings.TrimPrefix(name.Pkg().Path(), project) + "." + name.Name()}
}
