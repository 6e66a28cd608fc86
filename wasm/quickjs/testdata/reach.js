// Everything that code can reach: what the engine and the prelude offer is listed, and then all of it is replaced by functions
// that look for the prelude's own ones in what they are handed, while the prelude works.
$run(async function main() {
  const { apply, construct, defineProperty, getOwnPropertyDescriptor, getPrototypeOf, ownKeys } = Reflect;
  const { toString: functionText } = Function.prototype;
  const { includes } = String.prototype;
  const { has } = Set.prototype;
  const { get } = Map.prototype;
  const { push } = Array.prototype;
  const [ProxyOf, SetOf, ErrorOf, promise, world] = [Proxy, Set, Error, Promise, globalThis];
  const text = (f) => apply(functionText, f, []);
  const within = (all, part) => apply(includes, all, [part]);
  const source = text(main);

  // What cannot be reached by a name.
  const call = tools.get({});
  const called = tools.get(1n).catch((error) => error);
  const hidden = [
    ["(generator)", (function* () {})()],
    ["(generator function)", function* () {}],
    ["(async generator)", (async function* () {})()],
    ["(async generator function)", async function* () {}],
    ["(async function)", async () => {}],
    ["(array iterator)", [][Symbol.iterator]()],
    ["(map iterator)", new Map()[Symbol.iterator]()],
    ["(set iterator)", new Set()[Symbol.iterator]()],
    ["(string iterator)", ""[Symbol.iterator]()],
    ["(regexp string iterator)", "a".matchAll(/a/g)],
    ["(iterator helper)", [].values().map((x) => x)],
    ["(wrapped iterator)", Iterator.from({ next() {} })],
    ["(iterator concat)", Iterator.concat([])],
    ["(sloppy arguments)", Function("return arguments")()],
    ["(strict arguments)", Function("'use strict'; return arguments")()],
    ["(call)", call],
    ["(error of a call)", await called],
    ["(error of the engine)", await (async () => null.x)().catch((error) => error)],
    ["(regexp match)", /a/d.exec("a")],
    ["(raw JSON)", JSON.rawJSON("1")],
    ["(template)", ((strings) => strings)`x`],
    ["(wrapped symbol)", Object(Symbol("x"))],
    ["(bound function)", (() => {}).bind()],
    ["(revocable)", Proxy.revocable({}, {}).revoke],
    ["(resolve)", Promise.withResolvers()],
    ["(class)", class extends Error {}],
    ["(tools)", { get: tools.get, add: tools.add, other: tools.other }],
  ];

  const names = [];
  const functions = [];
  const places = [];
  const seen = new Map();
  const queue = [["globalThis", world], ...hidden];
  for (let at = 0; at < queue.length; at++) {
    const [path, value] = queue[at];
    if (value === null || (typeof value !== "object" && typeof value !== "function") || seen.has(value)) continue;
    seen.set(value, path);
    if (typeof value === "function" && !text(value).includes("[native code]")) functions.push([path, text(value)]);
    queue.push([`${path}.[[Prototype]]`, getPrototypeOf(value)]);
    for (const key of ownKeys(value)) {
      if (typeof value === "function" && (key === "length" || key === "name")) continue;
      const own = getOwnPropertyDescriptor(value, key);
      const short = path === "globalThis" ? "" : `${path}.`;
      const name = short + (typeof key === "symbol" ? `[${key.description}]` : key);
      names.push(name);
      places.push([value, key, own, name]);
      if ("value" in own) queue.push([name, own.value]);
      else queue.push([`get ${name}`, own.get], [`set ${name}`, own.set]);
    }
  }

  const sloppy = [
    "return arguments.callee.caller",
    "return arguments.callee.caller.caller",
    "return (function f() { return f.caller })()",
    "return (function f() { return f.arguments })()",
    "return this",
  ].map((body) => Function(body));
  for (const f of sloppy) functions.push(["(sloppy)", text(f)]);
  const exposed = new SetOf();
  for (const [, source] of functions) exposed.add(source);
  const found = [];
  let tried = 0;
  const insides = [];
  // look notes a function that is neither the engine's, nor this code's, nor one that everybody can reach.
  let looking = false;
  const look = (where, value, depth) => {
    if (looking) return;
    looking = true;
    lookInto(where, value, depth);
    looking = false;
  };
  const lookInto = (where, value, depth) => {
    if (typeof value === "function") {
      const its = text(value);
      if (!within(its, "[native code]") && !within(source, its) && !apply(has, exposed, [its]))
        apply(push, found, [where + " " + its]);
    }
    if (depth === 0 || value === null || (typeof value !== "object" && typeof value !== "function")) return;
    if (apply(get, seen, [value]) !== undefined) return;
    const keys = ownKeys(value);
    for (let i = 0; i < keys.length && i < 20; i++) {
      const own = getOwnPropertyDescriptor(value, keys[i]);
      if (own === undefined) continue;
      lookInto(where, own.value, depth - 1);
      lookInto(where, own.get, 0);
      lookInto(where, own.set, 0);
    }
  };
  const spy = (name, f) => {
    tried++;
    return new ProxyOf(f, {
      __proto__: null,
      apply(target, self, args) {
        look(name + " this", self, 2);
        look(name + " arguments", args, 2);
        const result = apply(target, self, args);
        look(name + " result", result, 2);
        return result;
      },
      construct(target, args, made) {
        look(name + " arguments", args, 2);
        const result = construct(target, args, made);
        look(name + " result", result, 2);
        return result;
      },
    });
  };

  // inside is what code can do while the prelude is on the stack.
  function inside(where, result) {
    apply(push, insides, [where]);
    const frames = (_, stack) => {
      look(where + " prepareStackTrace", stack, 2);
      apply(push, found, [where + " prepareStackTrace was called"]);
      return stack;
    };
    const all = [ErrorOf, InternalError, TypeError, AggregateError, SuppressedError];
    for (let i = 0; i < all.length; i++) {
      all[i].prepareStackTrace = frames;
      all[i].stackTraceLimit = { valueOf: () => apply(push, found, [where + " stackTraceLimit was read"]) };
      const made = new all[i]("x");
      if (typeof made.stack !== "string") apply(push, found, [where + " a stack is " + typeof made.stack]);
      look(where + " a stack", made.stack, 2);
    }
    const captured = {};
    ErrorOf.captureStackTrace(captured, inside);
    look(where + " captureStackTrace", captured, 2);
    const ways = [
      () => inside.caller,
      () => inside.arguments,
      () => tools.get.caller,
      () => tools.get.arguments,
      () => $run.arguments,
      ...sloppy,
      () => getOwnPropertyDescriptor(getPrototypeOf(inside), "caller").get.call(tools.get),
      () => world.eval("prelude"),
      () => world.eval("call"),
      () => world.eval("arguments"),
    ];
    for (let i = 0; i < ways.length; i++) {
      try {
        look(where + " way " + i, ways[i](), 2);
      } catch {
        // as it should be
      }
    }
    return result;
  }

  for (let i = 0; i < places.length; i++) {
    const [holder, key, own, name] = places[i];
    if (!own.configurable && !own.writable) continue;
    const replaced = { __proto__: null };
    if (typeof own.value === "function" && name !== "$run") replaced.value = spy(name, own.value);
    if (typeof own.get === "function") replaced.get = spy("get " + name, own.get);
    if (typeof own.set === "function") replaced.set = spy("set " + name, own.set);
    if (ownKeys(replaced).length === 0) continue;
    try {
      defineProperty(holder, key, replaced);
    } catch {
      tried--;
    }
  }
  // The names that the prelude and the engine use of their objects, where those would inherit them.
  const used = [
    "then",
    "0",
    "1",
    "2",
    "get",
    "set",
    "resolve",
    "refuse",
    "reject",
    "promise",
    "lines",
    "calls",
    "state",
    "enumerable",
  ];
  for (let i = 0; i < used.length; i++) {
    defineProperty(world.Object.prototype, used[i], {
      __proto__: null,
      configurable: true,
      get() {
        look("get " + used[i], this, 2);
        return undefined;
      },
      set(value) {
        look("set " + used[i], this, 2);
        look("set " + used[i], value, 2);
        defineProperty(this, used[i], { __proto__: null, value, writable: true, configurable: true, enumerable: true });
      },
    });
    tried++;
  }

  const told = (where) => ({
    toJSON: () => inside(where, 1),
    toString: () => inside(where, "x"),
    valueOf: () => inside(where, 1),
  });
  const strange = new ProxyOf(
    {},
    {
      __proto__: null,
      get: (_, key) => inside("a proxy's get", key === "toJSON" ? undefined : 1),
      has: () => inside("a proxy's has", false),
      ownKeys: () => inside("a proxy's ownKeys", ["a"]),
      getOwnPropertyDescriptor: () =>
        inside("a proxy's descriptor", { value: 1, enumerable: true, configurable: true }),
      getPrototypeOf: () => inside("a proxy's prototype", null),
    },
  );
  const mistaken = new ErrorOf("x");
  for (const key of ["name", "message"]) {
    defineProperty(mistaken, key, { __proto__: null, get: () => inside("an error's " + key, "x") });
  }
  const waits = [
    call,
    tools.get(told("an input")),
    tools.get(strange),
    tools.add({
      get a() {
        inside("a getter");
        return 1;
      },
    }),
    tools[told("a name")](1),
    search(told("words of search")),
    help(told("a name of help")),
    sleep(told("a sleep")),
  ];
  tools.get(told("a refused input"), 1n);
  console.log(told("a line"), strange, mistaken, 1n, Symbol("x"), inside, null, undefined, new Date(0), [mistaken]);
  console.error(new AggregateError([mistaken], "x", { cause: mistaken }));
  try {
    $run(
      () =>
        new ProxyOf(promise.resolve(), {
          __proto__: null,
          defineProperty(_, key, own) {
            look("a promise's " + key, own, 2);
            return inside("a promise", true);
          },
        }),
    );
  } catch {
    // a proxy is no promise
  }
  try {
    $run(() => ({
      then(resolve, reject) {
        look("resolve", resolve, 2);
        look("reject", reject, 2);
      },
    }));
  } catch {
    // a thenable is no promise
  }
  for (let i = 0; i < waits.length; i++) {
    look("a promise", waits[i], 2);
    const answer = await waits[i].catch((error) => error);
    look("an answer", answer, 2);
  }
  return {
    names,
    functions,
    found,
    tried,
    insides,
    toJSON() {
      inside("the result");
      const { names, functions, found, tried, insides } = this;
      return { names, functions, found, tried, insides };
    },
  };
});
