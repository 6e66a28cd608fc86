package demo

import "github.com/tributary-agents/tributary/durable/model"

// Provider is "demo", the [Model] of this package. It has no settings.
var Provider = model.Provider{Name: "demo", Open: func(model.Settings) (model.Model, error) { return Model{}, nil }}
