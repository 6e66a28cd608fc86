// The page's token. It is a key, so it stands in the address for as long as it takes to read it there: an address is
// shown, shared, bookmarked and kept in the history. A reload of the tab finds it in the storage of the tab.
const parameter = "token";

/**
 * takeToken reads the token that the address has brought, in the fragment (`/#token=...`), which no server is sent, or in
 * the query (`/?token=...`), and removes it there. Without one it is the token that the tab has kept, or empty.
 */
export function takeToken(): string {
  const url = new URL(location.href);
  const fragment = new URLSearchParams(url.hash.slice(1));
  const brought = fragment.get(parameter) || url.searchParams.get(parameter) || "";
  if (fragment.has(parameter) || url.searchParams.has(parameter)) {
    fragment.delete(parameter);
    url.searchParams.delete(parameter);
    url.hash = fragment.toString();
    url.search = url.search.replaceAll("%2F", "/");
    history.replaceState(history.state, "", url.href);
  }
  if (brought) keepToken(brought);
  return brought || kept();
}

/** keepToken keeps a token for a reload of the tab. */
export function keepToken(token: string): void {
  try {
    sessionStorage.setItem(parameter, token);
  } catch {
    // A browser that stores nothing for this page asks for the token again after a reload.
  }
}

function kept(): string {
  try {
    return sessionStorage.getItem(parameter) ?? "";
  } catch {
    return "";
  }
}
