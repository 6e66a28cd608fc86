// prelude is evaluated as an expression, before the code of a model. It returns what the host drives the code through.
function prelude(names) {
  "use strict";
  // The code of a model may replace every global and every method. Nothing here looks one of them up
  // after the first line of that code, and no object here inherits from one that the code can reach. A
  // template literal of the engine looks up String.prototype.concat, so texts are joined with +.
  const { apply, defineProperty, getOwnPropertyDescriptor, getPrototypeOf } = Reflect;
  const { parse, stringify } = JSON;
  const { create, freeze, hasOwn } = Object;
  const { isError } = Error;
  const outOfMemory = InternalError.prototype;
  const outOfStack = RangeError.prototype;
  const failure = Error;
  const text = String;
  const numeric = Number;
  const promise = Promise;
  const proxy = Proxy;
  const { then } = Promise.prototype;
  const { indexOf, slice, charCodeAt, isWellFormed, toWellFormed } = String.prototype;
  const { get: getOpen, set: setOpen, delete: deleteOpen } = Map.prototype;
  const { toString: functionText } = Function.prototype;
  const { get: stackOf } = getOwnPropertyDescriptor(Error.prototype, "stack");
  const world = globalThis;

  // The host refuses a report that is larger than these allow: ../../../wasm/quickjs/README.md.
  const most = {
    __proto__: null,
    lines: 200,
    line: 500,
    words: 4000,
    calls: 10000,
    name: 200,
    input: 1 << 20,
    report: 2 << 20,
    json: 8 << 20,
  };
  const longest = 1e15;
  const waits = 0;
  const done = 1;
  const failed = 2;
  const spent = 4;

  const open = new Map();
  let state = waits;
  let value = "";
  let why = "";
  let number = 0;
  let calls = "";
  let lines = "";
  let kept = 0;
  let left = 0;

  const constant = (to, name, value) => defineProperty(to, name, { __proto__: null, value, enumerable: true });
  const find = (within, part, from) => apply(indexOf, within, [part, from]);
  const part = (of, from, to) => apply(slice, of, [from, to]);
  const listed = (list, item) => (list === "" ? item : list + "," + item);

  // cut returns the beginning of a text, which does not end within a character.
  const cut = (long, length) => {
    if (long.length <= length) return long;
    const last = apply(charCodeAt, long, [length - 1]);
    return part(long, 0, last >= 0xd800 && last < 0xdc00 ? length - 1 : length);
  };

  // line returns the line of the code in which an error was made, or 0.
  const line = (error) => {
    const stack = apply(stackOf, error, []);
    if (typeof stack !== "string") return 0;
    for (let at = find(stack, "code:", 0); at >= 0; at = find(stack, "code:", at + 1)) {
      let n = 0;
      for (let i = at + 5; i < stack.length; i++) {
        const digit = apply(charCodeAt, stack, [i]) - 48;
        if (!(digit >= 0 && digit <= 9)) break;
        n = n * 10 + digit;
      }
      if (n > 0) return n;
    }
    return 0;
  };

  // show returns a value as a text for people.
  const show = (value) => {
    switch (typeof value) {
      case "string":
        return value;
      case "bigint":
        return value + "n";
      case "function":
        return cut(apply(functionText, value, []), 100);
      case "object":
        if (isError(value)) return told(value);
        return value === null ? "null" : (stringify(value) ?? "undefined");
      default:
        return text(value);
    }
  };

  // told returns what an error says, and the line.
  const told = (error) => {
    const at = line(error);
    return said(error) + (at > 0 ? " (line " + at + ")" : "");
  };

  // said returns what an error says.
  const said = (error) => {
    const name = text(error.name);
    const message = text(error.message);
    return message === "" ? name : name + ": " + message;
  };

  // words returns what is told of anything that was thrown, with the line if there is one. The code's own
  // methods may run in it.
  const words = (thrown, tell = told) => {
    try {
      return cut(isError(thrown) ? tell(thrown) : "the code has thrown " + show(thrown), most.words);
    } catch {
      return "the code has thrown what cannot be told";
    }
  };

  // limit returns the limit that an error of the engine names, if any.
  const limit = (thrown) => {
    if (!isError(thrown)) return "";
    const message = getOwnPropertyDescriptor(thrown, "message");
    if (message === undefined || !hasOwn(message, "value")) return "";
    const kind = getPrototypeOf(thrown);
    if (kind === outOfMemory && message.value === "out of memory") return "memory";
    if (kind === outOfStack && message.value === "Maximum call stack size exceeded") return "stack";
    return "";
  };

  const tooLong = (what, json, most) => what + " has " + json.length + " characters of JSON, more than " + most;

  const end = (how, said) => {
    if (state !== waits) return;
    state = how;
    why = said;
  };

  const fail = (thrown) => {
    const exhausted = limit(thrown);
    if (exhausted !== "") end(spent, exhausted);
    else if (thrown === null) end(failed, "the code has thrown null, as the engine does where no memory is left");
    else end(failed, words(thrown));
  };

  const succeed = (result) => {
    if (state !== waits) return;
    try {
      value = stringify(result) ?? "null";
      if (!apply(isWellFormed, value, [])) value = apply(toWellFormed, value, []); // what JSON.rawJSON has made may not be
    } catch (thrown) {
      return limit(thrown) === "" ? end(failed, "the result is no JSON: " + words(thrown)) : fail(thrown);
    }
    if (value.length <= most.json) return end(done, "");
    end(failed, tooLong("the result", value, most.json));
    value = "";
  };

  // call begins a call, and returns its promise. The error is made here, because the stack is here.
  const call = (name, encode) => {
    const error = new failure("");
    return new promise((resolve, reject) => {
      const refuse = (said) => {
        constant(error, "message", said);
        reject(error);
      };
      let json;
      try {
        json = encode() ?? "";
      } catch (thrown) {
        return limit(thrown) === ""
          ? refuse("what " + name + " was called with is no JSON: " + words(thrown, said))
          : reject(thrown);
      }
      if (state !== waits) return refuse("the code has ended");
      if (typeof json !== "string" || json === "") return refuse("what " + name + " was called with is no JSON");
      if (json.length > most.input) return refuse(tooLong("what " + name + " was called with", json, most.input));
      if (name.length > most.name) return refuse("there is no tool with a name of " + name.length + " characters");
      if (number === most.calls) return refuse("the code has made " + number + " calls, and may make no more");
      const item = '{"number":' + (number + 1) + ',"name":' + stringify(name) + ',"json":' + stringify(json) + "}";
      const all = listed(calls, item);
      if (all.length > most.report) return refuse(tooLong("all calls without an await between them", all, most.report));
      apply(setOpen, open, [number + 1, { __proto__: null, resolve, refuse }]);
      calls = all;
      number++;
    });
  };

  const tool = (name) => freeze((input) => call(name, () => stringify(input === undefined ? {} : input)));

  const known = create(null);
  for (let i = 0; i < names.length; i++) constant(known, names[i], tool(names[i]));
  freeze(known);
  const get = (_, name) => {
    const own = getOwnPropertyDescriptor(known, name);
    if (own !== undefined) return own.value;
    // A name that the engine asks an object for on its own is no tool.
    return typeof name === "symbol" || name === "then" || name === "toJSON" ? undefined : tool(name);
  };

  const print = freeze((...values) => {
    if (kept === most.lines) {
      left++;
      return;
    }
    let all = "";
    for (let i = 0; i < values.length; i++) {
      if (all.length > most.line) break;
      let one;
      try {
        one = show(values[i]);
      } catch (thrown) {
        one = words(thrown);
      }
      all = i === 0 ? one : all + " " + one;
    }
    if (kept === most.lines) return; // what the code does while its values are shown may write lines as well
    lines = listed(lines, stringify(cut(all, most.line)));
    kept++;
  });

  // The generator of Math.random is sfc32.
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 1;
  const random32 = () => {
    const sum = (a + b + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  };
  const random = () => ((random32() >>> 5) * 67108864 + (random32() >>> 6)) / 9007199254740992;
  const seeded = parseInt;

  const { max, min } = Math;
  const bounded = (ms) => max(0, min(ms || 0, longest));

  const run = freeze((main) => {
    const result = main();
    // A promise without a constructor is followed without a look at what the code may have replaced.
    constant(result, "constructor", undefined);
    apply(then, result, [succeed, fail]);
  });

  const expose = (name, value) => defineProperty(world, name, { __proto__: null, value });
  for (const name of ["Atomics", "SharedArrayBuffer", "WebAssembly"]) delete world[name];
  // With these the code would run while an error is made, and be handed the functions that run then.
  for (const name of ["prepareStackTrace", "stackTraceLimit"]) delete failure[name];
  defineProperty(Math, "random", { __proto__: null, value: random, writable: true, configurable: true });
  expose("tools", new proxy(known, { __proto__: null, get }));
  expose(
    "search",
    freeze((words) => call("$search", () => stringify(text(words ?? "")))),
  );
  expose(
    "help",
    freeze((name) => call("$help", () => stringify(text(name ?? "")))),
  );
  expose(
    "sleep",
    freeze((ms) => call("$sleep", () => stringify(bounded(numeric(ms))))),
  );
  expose("console", freeze({ __proto__: null, log: print, info: print, warn: print, error: print, debug: print }));
  expose("$run", run);

  return {
    __proto__: null,
    begin(seed) {
      a = seeded(part(seed, 0, 8), 16) | 0;
      b = seeded(part(seed, 8, 16), 16) | 0;
      c = seeded(part(seed, 16, 24), 16) | 0;
      d = seeded(part(seed, 24, 32), 16) | 0;
      for (let i = 0; i < 12; i++) random32();
    },
    answer(number, ok, json) {
      const one = apply(getOpen, open, [number]);
      if (one === undefined) return;
      apply(deleteOpen, open, [number]);
      let output;
      try {
        output = parse(json);
      } catch (thrown) {
        return one.refuse("the answer is no JSON: " + words(thrown, said));
      }
      if (ok) one.resolve(output);
      else one.refuse(typeof output === "string" ? output : json);
    },
    take() {
      if (state !== waits && left > 0) lines = listed(lines, stringify(left + " more lines were left out"));
      const report =
        '{"state":' + state + ',"calls":[' + calls + '],"lines":[' + lines + '],"words":' + stringify(why) + "}";
      calls = lines = "";
      return report;
    },
    value: () => value,
    fail,
  };
}
