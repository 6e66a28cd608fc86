// A prelude that reports what a test says, in place of the one in durable/internal/codemode: as code would that has come to
// the prelude's own functions. take and value are called with what follows, and with how often take was called before.
function forge(take, value) {
  const list = (n, item) => Array.from({ length: n }, (_, i) => item(i + 1)).join(",");
  const f = {
    // A report of parts that are JSON already.
    report: ({ state = 0, calls = "", lines = "", words = '""' } = {}) =>
      `{"state":${state},"calls":[${calls}],"lines":[${lines}],"words":${words}}`,
    call: (number, { name = '"get"', json = '"1"' } = {}) => `{"number":${number},"name":${name},"json":${json}}`,
    calls: (from, n) => list(n, (i) => f.call(from + i - 1)),
    lines: (n) => list(n, (i) => `"line ${i}"`),
    text: (length, unit = "x") => `"${unit.repeat(length)}"`,
    random: (seed) => random(seed),
  };

  // random returns a report of the prelude in most cases with mistakes in it, or another value.
  const random = (seed) => {
    let at = seed * 2654435761;
    const below = (n) => {
      at = (Math.imul(at ^ (at >>> 15), 2246822519) + 374761393) | 0;
      return ((at ^ (at >>> 13)) >>> 0) % n;
    };
    const pick = (all) => all[below(all.length)];
    const texts = [
      '""',
      '"get"',
      '"\\ud800"',
      '"\u2028é𝄞"',
      '"\\u0000"',
      '"memory"',
      '"{\\"a\\":1}"',
      '"work"',
      '"\\""',
    ];
    let report = f.report({
      state: pick([0, 0, 0, 0, 1, 2, 2, 3, 4]),
      calls: list(below(3), (i) => f.call(i, { name: pick(texts), json: pick(texts) })),
      lines: list(below(3), () => pick(texts)),
      words: pick(['""', '""', '""', '""', '""', '""', ...texts]),
    });
    const parts = [
      "",
      '"',
      "\\",
      "\n",
      " ",
      ",",
      ":",
      "[",
      "]",
      "{",
      "}",
      "0",
      "-1",
      "1e9",
      "01",
      "NaN",
      "null",
      "true",
      "\ud800",
      "\ufeff",
      "\\u",
      "\\x",
      "\u0000",
      '"state":0,',
      '"toJSON":1,',
      '{"length":9e9}',
      "[[[[",
      "x".repeat(6000),
      '\\"',
      "9".repeat(30),
    ];
    for (let n = pick([0, 0, 0, 1, 1, 2]); n > 0; n--) {
      const from = below(report.length + 1);
      const to = Math.min(from + pick([0, 0, 1, 2, 9]), report.length);
      report = report.slice(0, from) + pick(parts) + report.slice(to);
    }
    const others = [
      undefined,
      null,
      true,
      1,
      NaN,
      -0,
      1n,
      Symbol("x"),
      () => report,
      [report],
      { length: 2 ** 31 },
      new String(report),
      { toString: () => report },
      { toJSON: () => report },
      {
        toString() {
          throw 1;
        },
      },
      new Proxy({}, {}),
      new Error(report),
    ];
    return below(12) === 0 ? pick(others) : report;
  };

  let turn = 0;
  return {
    __proto__: null,
    begin() {},
    answer() {},
    take: () => take(f, turn++),
    value: () => value(f),
    fail() {},
  };
}
