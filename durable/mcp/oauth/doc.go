// Package oauth is the client's side of OAuth 2.1, as the Model Context Protocol wants it, as plain
// values: requests to make and answers to read. It does no I/O and keeps nothing.
//
// The order is: a server answers 401 with a [Challenge]; its [Resource] names authorization servers;
// the document of one is an [AuthorizationServer]; a [Client] is registered there, or known; a person
// is sent to [Authorization.URL]; the [Callback] brings a code; [CodeRequest] makes it a [Token], which
// [RefreshRequest] renews.
package oauth
