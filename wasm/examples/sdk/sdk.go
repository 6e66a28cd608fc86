// Package sdk holds modules whose agents call models through the official SDKs of OpenAI and
// Anthropic, one module each. It has a go.mod of its own, so that the SDKs are no requirement of
// Tributary.
//
// The SDKs are large. Compare the size of a module with the platform's limit of 10 MB compressed.
// The providers of package model add a hundredth of an SDK's size.
package sdk
