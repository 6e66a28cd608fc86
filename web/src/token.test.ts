// @vitest-environment jsdom
import { beforeEach, expect, test, vi } from "vitest";
import { keepToken, takeToken } from "./token";

beforeEach(() => {
  sessionStorage.clear();
  history.replaceState(null, "", "/");
});

test.each([
  ["/?c=calm&run=A/b#token=t.t.t", "/?c=calm&run=A/b"],
  ["/?token=t.t.t&c=calm&run=A/b", "/?c=calm&run=A/b"],
  ["/?c=calm&token=other#token=t.t.t", "/?c=calm"],
  ["/#token=t.t.t", "/"],
  ["/#x=1&token=t.t.t", "/#x=1"],
  ["/?%74oken=t.t.t", "/"],
])("of %s the token is kept for the tab, and the address is %s", (address, left) => {
  history.replaceState({ opened: true }, "", address);
  const before = history.length;
  expect(takeToken()).toBe("t.t.t");
  expect(location.pathname + location.search + location.hash).toBe(left);
  expect(history.state).toEqual({ opened: true });
  expect(history.length).toBe(before);
  expect(takeToken()).toBe("t.t.t"); // as behind a reload
});

test.each(["/", "/?c=calm#somewhere", "/?tokens=1"])("%s brings no token, and stays what it is", (address) => {
  history.replaceState(null, "", address);
  expect(takeToken()).toBe("");
  expect(location.pathname + location.search + location.hash).toBe(address);
});

test("an empty token is no token, and leaves the address too", () => {
  keepToken("kept");
  history.replaceState(null, "", "/?token=#token=");
  expect(takeToken()).toBe("kept");
  expect(location.href).toBe(`${location.origin}/`);
});

test("a page works where nothing is stored", () => {
  const store = vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new DOMException("denied", "SecurityError");
  });
  const read = vi.spyOn(Storage.prototype, "getItem").mockImplementation(() => {
    throw new DOMException("denied", "SecurityError");
  });
  history.replaceState(null, "", "/#token=t");
  expect(takeToken()).toBe("t");
  expect(takeToken()).toBe("");
  store.mockRestore();
  read.mockRestore();
});
