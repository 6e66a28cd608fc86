// What Go is asked about a request, and what the object is told.
import assert from "node:assert/strict";
import { test } from "node:test";
import { address, keyOf, question, target } from "./question.ts";
import { stamp } from "./until.ts";

const base = "https://host/agents/assistant/a%20b|c";

/** The question about a request, by its URL, headers and body. */
const ask = (url: string, headers: Record<string, string> = {}, method = "GET", body: Request["body"] = null) =>
  question({ method, headers: new Headers(headers), body }, target(url));

const urls: [url: string, want: string][] = [
  ["", ""],
  ["?", ""],
  ["?_pk=1&x=%20y+z", ""],
  ["?_pk=1&token=a%2Eb&x=1", "?token=a%2Eb"],
  ["?tok%65n=a&token=b", "?tok%65n=a&token=b"],
  ["?xtoken=a&token2=b&%zz=1&=&&", ""],
  ["?token=a#&token=b", "?token=a"],
  ["?code=c&state=s&iss=i&xstate=a", "?state=s"],
  ["?server=docs&ticket=t&sig=s&xsig=a", "?sig=s"],
  ["#?token=a", ""],
];
for (const [url, want] of urls) {
  test(`of the query ${url} Go is given ${want || "nothing"}`, () => assert.equal(ask(base + url).url, base + want));
}

test("Go is given the headers that it reads, and no others", () => {
  const read = {
    "access-control-request-headers": "x-a, x-b",
    authorization: "Bearer t",
    cookie: "a=b; c=d",
    host: "host",
    origin: "https://host",
    "sec-fetch-site": "same-origin",
    "sec-websocket-protocol": "chat",
    upgrade: "websocket",
  };
  const { method, headers, body } = ask(base, { ...read, "user-agent": "u" }, "POST");
  assert.deepEqual([method, body, Object.fromEntries(headers)], ["POST", null, read]);
  assert.equal(ask(base).headers.size, 0);
});

test("of a body Go learns only that there is one", () => {
  const body = () => new Response("body").body;
  assert.deepEqual([...ask(base, { "content-length": "4" }, "POST", body()).headers], [["content-length", "-1"]]);
  assert.deepEqual([...ask(base, {}, "POST", body()).headers], [["content-length", "-1"]]);
  assert.equal(ask(base, { "content-length": "0" }, "POST", body()).headers.size, 0);
  assert.equal(ask(base, { "content-length": "4" }, "POST").headers.size, 0);
});

test("two questions have one key if they are the same, and different keys otherwise", () => {
  const same = [
    ask(`${base}?_pk=1&token=t`),
    ask(`${base}?token=t&_pk=2`),
    ask(`${base}?token=t`, { "user-agent": "u" }),
  ];
  assert.equal(new Set(same.map(keyOf)).size, 1);
  const others = [
    ask(base),
    ask(`${base}?token=t`),
    ask(`${base}?token=u`),
    ask(`${base}?token=t&token=u`),
    ask(`${base}/x?token=t`),
    ask(`${base.replace("host", "other")}?token=t`),
    ask(`${base}?token=t`, {}, "POST"),
    ask(base, { authorization: "Bearer t" }),
    ask(base, { authorization: "Bearer u" }),
    ask(base, { host: "Bearer t" }),
    ask(base, { cookie: "Bearer t" }),
    ask(base, { cookie: "Bearer u" }),
    ask(base, {}, "POST", new Response("body").body),
    ask(base, { origin: "Bearer t" }),
    ask(base, { upgrade: "websocket" }),
    ask(base, { "sec-websocket-protocol": "websocket" }),
    ask(base, { "access-control-request-headers": "websocket" }),
    ask(base, { host: '"', origin: '","' }),
    ask(base, { host: '","', origin: '"' }),
  ];
  assert.equal(new Set(others.map(keyOf)).size, others.length);
});

const stamps: [query: string, end: number, want: string][] = [
  ["", 0, ""],
  ["?_pk=1&x=%20y+z", 0, "?_pk=1&x=%20y+z"],
  ["", 17, "?_until=17"],
  ["?_pk=1&x=%20y", 17, "?_pk=1&x=%20y&_until=17"],
  ["?_until=1", 0, ""],
  ["?_until=1&_pk=1&_until=2", 0, "?_pk=1"],
  ["?%5Funtil=9999999999999&_unti%6C&_until=9", 17, "?_until=17"],
  ["?token=t&_pk=1&tok%65n=u&token", 17, "?_pk=1&_until=17"],
  ["?token=t", 0, ""],
  ["?token2=t&xtoken=u", 0, "?token2=t&xtoken=u"],
  ["?x_until=1&_until2=1&%zz=1", 0, "?x_until=1&_until2=1&%zz=1"],
  ["?_pk=1#&_until=9", 17, "?_pk=1&_until=17"],
];
for (const [query, end, want] of stamps) {
  test(`the query ${query} that is authorized until ${end} becomes ${want}`, () =>
    assert.equal(address(stamp(target(base + query), end)), base + want));
}
