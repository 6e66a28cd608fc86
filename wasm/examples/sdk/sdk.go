// Package sdk holds modules whose agents ask models through the official SDKs of OpenAI
// and Anthropic, one each. It has a go.mod of its own: what it needs is no part of
// Tributary.
//
// The SDKs are large. Built for the platform, a module with one of them has to be held
// against the platform's limit of 10 MB compressed; the providers of package model do the
// same in a hundredth of it.
package sdk
