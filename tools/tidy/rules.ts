/**
 * What the source tree promises about itself, as data: who may import whom, what may not be written and what to write
 * instead, how long things may get, and the exceptions with their reasons.
 */

import { PURE_FOLDERS } from "../pure-folders.ts";

/**
 * One part of the tree. `*` stands for one name, `**` for any path, `$1` for what the first `*` of `at` stood for;
 * `./` is the package's `src`, and `npm:*` any package of the registry. `type:` allows only `import type`, `lazy:` only
 * `await import()`.
 */
export interface Zone {
  readonly at: string;
  readonly may: readonly string[];
}

function zone(name: string, at: string, ...may: readonly string[]): Zone {
  const src = `packages/${name}/src/`;
  return {
    at: at.replace("./", src),
    may: may.map((each) => each.replace(/^(type:|lazy:)?\.\//, `$1${src}`)),
  };
}

const PROTOCOL = "@holdpoint/protocol";
const RULES = "@holdpoint/protocol/rules";
/** Rules about tool calls, which the server and the MCP gateway evaluate alike. */
const GATING = "@holdpoint/protocol/gating";
/** What chat messages show, before any platform's shape. */
const CHAT = "@holdpoint/protocol/chat";
/** A pure function in a folder of impure things: a digest needs Node, not the outside world. */
const DIGEST = "./system/digest.ts";
const CANONICAL_JSON = "./system/canonical-json.ts";
/** Says which texts of a value are redacted; the patterns are passed in. */
const REDACT_TEXTS = "./system/redact-texts.ts";
/** Checking a signature is pure as well; making one is the composition root's business. */
const SIGNING = "./system/signing.ts";
/** Everything that the server may use. It serves agents and their libraries, and depends on none of them. */
const EVERYTHING = ["./**", "node:*", "npm:*", PROTOCOL];
/** What is pure: the kernel and the rules of each domain beside it. */
const RULES_OF_ALL = ["./kernel/**", "./openintent/rules/**", "./agui/rules/**"];
/** The machinery knows the domains only through their table: of the list itself it takes types. */
const TABLE_TYPES = "type:./domains.ts";
const OVER_THE_ENGINE = [
  "./engine/**",
  TABLE_TYPES,
  ...RULES_OF_ALL,
  "./identity/**",
  PROTOCOL,
  CANONICAL_JSON,
  DIGEST,
  "type:./store/port.ts",
  "type:./system/**",
];
/** What every package that an agent's author installs may import. Zod comes with the protocol, so it costs nothing more. */
const OVER_THE_PROTOCOL = ["./**", PROTOCOL, "zod"];

/** The one framework of each folder of `packages/adapters/src`, with the packages it comes in. */
const FRAMEWORKS: Readonly<Record<string, readonly string[]>> = {
  // The runtime is the protocol's own, because the server runs agents too.
  "ag-ui": [],
  // A graph is one kind of workflow, and what a node has asked must be known wherever in it that is looked at.
  langgraph: ["@langchain/langgraph", "./workflow/**", "./tool-calls/**", "node:async_hooks"],
  // Frameworks call tools from deep inside, so that a tool finds its run by the asynchronous context.
  "tool-calls": ["./workflow/**", "node:async_hooks"],
  "ai-sdk": ["ai", "./workflow/**", "./tool-calls/**"],
  "openai-agents": ["@openai/agents", "./workflow/**", "./tool-calls/**"],
  // Takes Mastra's objects by their shape.
  mastra: ["./workflow/**", "./tool-calls/**"],
  handlers: ["./workflow/**", "node:http"],
  // Published for authors of other adapters: it runs them against the SDK's Holdpoint in memory.
  kit: ["./workflow/**", "./tool-calls/**", "@holdpoint/sdk/testing", "node:assert/strict"],
};

/** The first zone that fits a file counts. A file of a package that fits none is a finding. */
export const ZONES: readonly Zone[] = [
  zone("protocol", "./rules/**", "./rules/**"),
  // A page loads the client too: it reaches for Node's files only when it runs there.
  zone("protocol", "./http/**", "./http/**", "./client/**", "./rules/**", "type:./*", "lazy:node:*"),
  zone("protocol", "./json-schema/**", "./json-schema/**", "./rules/**", "@cfworker/json-schema"),
  zone(
    "protocol",
    "./agui/runtime/**",
    "./agui/**",
    "./client/**",
    "./rules/**",
    "./hitl/words.ts",
    "./json-schema/index.ts",
  ),
  zone("protocol", "./**", "./**", "zod", "@noble/hashes"),

  // The arrow points from a domain to the kernel, never back.
  zone("server", "./kernel/**", "./kernel/**", RULES, GATING, CHAT),
  zone("server", "./openintent/rules/**", "./openintent/rules/**", "./kernel/**", RULES),
  zone("server", "./agui/rules/**", "./agui/rules/**", "./kernel/**", RULES),
  zone(
    "server",
    "./engine/**",
    "./engine/**",
    "./kernel/**",
    TABLE_TYPES,
    RULES,
    "./store/port.ts",
    "./store/ended.ts",
    "./store/event-pages.ts",
    "./store/load-room.ts",
    "type:./store/file-port.ts",
    "./system/own-turn.ts",
    CANONICAL_JSON,
    DIGEST,
    SIGNING,
    "./system/steady-clock.ts",
    "type:./system/**",
  ),
  zone(
    "server",
    "./store/postgres/**",
    "./store/postgres/**",
    // Its backups are files of the embedded store.
    "./store/sqlite/**",
    "./store/*",
    "./kernel/**",
    TABLE_TYPES,
    RULES,
    "node:*",
    "pg",
    "pg-protocol",
  ),
  zone("server", "./store/*/**", "./store/$1/**", "./store/*", "./kernel/**", TABLE_TYPES, RULES, "node:*"),
  zone("server", "./store/*", "./store/*", "./kernel/**", TABLE_TYPES, RULES, "node:*"),
  zone("server", "./timers/**", "./timers/**", ...OVER_THE_ENGINE),
  zone(
    "server",
    "./channels/**",
    "./channels/**",
    ...OVER_THE_ENGINE,
    REDACT_TEXTS,
    ...["node:*", "undici", "ipaddr.js", "nodemailer"],
  ),
  zone("server", "./agui/**", "./agui/**", "./faces/http/**", ...OVER_THE_ENGINE, "hono", "zod"),
  // Tool calls before the rules: over any hold client, so in the server's process and in an agent's.
  zone(
    "server",
    "./toolcalls/**",
    "./toolcalls/**",
    PROTOCOL,
    RULES,
    GATING,
    "./system/**",
    "node:*",
    "yaml",
  ),
  zone(
    "server",
    "./mcp/**",
    "./mcp/**",
    "./toolcalls/**",
    "./faces/http/**",
    "./version.ts",
    ...OVER_THE_ENGINE,
    "node:*",
    "zod",
    "@modelcontextprotocol/server",
    "@modelcontextprotocol/client",
  ),
  zone("server", "./hooks/**", "./hooks/**", "./toolcalls/**", PROTOCOL, "./system/**", "node:*"),
  zone("server", "./openintent/reads/**", "./openintent/**", ...OVER_THE_ENGINE, SIGNING),
  zone(
    "server",
    "./openintent/face/**",
    "./openintent/**",
    "./faces/http/**",
    ...OVER_THE_ENGINE,
    "node:*",
    "hono",
    "zod",
  ),
  zone(
    "server",
    "./faces/*/**",
    "./faces/$1/**",
    "./faces/http/**",
    ...OVER_THE_ENGINE,
    "./system/own-turn.ts",
    "node:*",
    "hono",
    "zod",
  ),
  zone(
    "server",
    "./identity/**",
    "./identity/**",
    ...OVER_THE_ENGINE,
    "./system/**",
    "node:*",
    "@simplewebauthn/server",
    "cookie",
    "jose",
    "openid-client",
  ),
  // One setting of OpenIntent is read from a file of its own, and checked by its own rules.
  zone("server", "./system/openintent-file.ts", "./system/**", ...RULES_OF_ALL, RULES, "node:*", "npm:*"),
  zone("server", "./system/**", "./system/**", "./kernel/**", PROTOCOL, RULES, GATING, "node:*", "npm:*"),
  zone("server", "./cli/**", ...EVERYTHING),
  // `server.ts` and the files beside it put the parts together; no part imports them.
  zone("server", "./*", ...EVERYTHING),

  // What a browser may load reaches for Node only when it runs there.
  zone("sdk", "./**", ...OVER_THE_PROTOCOL, "lazy:node:*"),
  zone("gate", "./host/**", ...OVER_THE_PROTOCOL, "node:*"),
  zone("gate", "./**", ...OVER_THE_PROTOCOL, "lazy:node:*"),
  zone("hitl", "./**", ...OVER_THE_PROTOCOL, "node:*", "uqr"),
  zone("openintent", "./workflow/**", ...OVER_THE_PROTOCOL, "yaml"),
  zone("openintent", "./**", ...OVER_THE_PROTOCOL, "lazy:node:*"),

  ...Object.entries(FRAMEWORKS).map(([folder, frameworks]) =>
    zone("adapters", `./${folder}/**`, `./${folder}/**`, "./*", PROTOCOL, ...frameworks),
  ),
  zone("adapters", "./*/**", "./$1/**", "./*", PROTOCOL),
  zone("adapters", "./*", "./*", PROTOCOL),
  zone("react", "./**", "./**", PROTOCOL, "react", "react-dom", "diff"),
  // The playground's AG-UI page is an app like any other: it has the protocol's own client.
  zone(
    "web",
    "./**",
    "./**",
    "@holdpoint/react",
    PROTOCOL,
    "react",
    "react-dom",
    "@ag-ui/client",
    "@tanstack/react-query",
    "@tanstack/react-virtual",
  ),
];

/** Tests, and what only they use: suites that implementations share, fakes, fixtures, harnesses, processes to kill. */
const TESTS = [
  "**/*.test.*",
  "**/*.suite.ts",
  "**/suite/**",
  "**/*.fake.ts",
  "**/*.fixture.ts",
  "**/harness.ts",
  "**/*.child.ts",
];

/** These know every part. */
export const KNOWS_ALL = [...TESTS, "packages/*/src/testing/**", "packages/*/src/*/testing/**"];

/** Where no arrow may end, whoever it starts from: they are started, not imported. */
export const NEVER_IMPORTED = ["packages/server/src/cli/**"];

/**
 * What a ban looks at: `name` is a variable or `a.b.c`; `syntax` a kind of node; `import` a specifier, and
 * `specifier#name` for each name taken from it; `string` the text of a literal; `comment`, and `line` of any text
 * file, are what they say; `path` is the file's own.
 */
/** `shown`: a text that a component writes where a person reads it. */
export type Kind = "name" | "syntax" | "import" | "string" | "shown" | "comment" | "line" | "path";

export interface Ban {
  readonly kind: Kind;
  readonly found: RegExp;
  readonly use: string;
  /** Everywhere, if absent. */
  readonly at?: readonly string[];
  readonly except?: readonly string[];
}

const SERVER = "packages/server/src";
const PURE = PURE_FOLDERS.map((folder) => `${folder}/**`);
const CLOCKED = [`${SERVER}/**`, "packages/protocol/src/**", "packages/adapters/src/**"];
const CLOCKLESS = [
  `${SERVER}/system/**`,
  `${SERVER}/testing/**`,
  // The one place where clients take time and randomness from the machine, and the stand-in that their tests move.
  "packages/protocol/src/http/runtime.ts",
  "packages/protocol/src/http/testing/**",
];
const CODE = ["**/*.ts", "**/*.tsx", "**/*.mjs"];

/** Folders whose language is plain: each old word here is a finding that says the ordinary one. */
const PLAIN = ["server", "protocol", "gate", "hitl", "openintent", "adapters", "react", "web"].flatMap(
  (name) => [`packages/${name}/src/**/*.ts`, `packages/${name}/src/**/*.tsx`],
);
const OLD_WORDS: readonly (readonly [found: RegExp, use: string])[] = [
  [/\b(in )?handfuls?\b/i, "small batch"],
  [/\bcomes? to grief\b/i, "fails"],
  [/\bsurely not\b/i, "known not to"],
  [/\banew\b/i, "again"],
  [/\bin earnest\b/i, "in production"],
  [/\bnot believed\b/i, "checked against an allow-list"],
  [/\bvouch(es)? for\b/i, "signs, or covers"],
  [/\bHappenings?\b/, "Fact"],
  [/\bwhom?ever\b/i, "the name of who acts: the caller, the claimer, the agent that asked"],
];

export const BANS: readonly Ban[] = [
  ...OLD_WORDS.map(([found, use]): Ban => ({ kind: "line", found, use, at: PLAIN })),
  {
    kind: "name",
    found: /^(globalThis\.)?(crypto\.)?randomUUID$/,
    at: PURE,
    except: TESTS,
    use: "an id that arrives inside the command",
  },
  { kind: "name", found: /^performance\.now$/, at: PURE, use: "the command's time" },
  { kind: "import", found: /^node:/, at: PURE, except: TESTS, use: "what arrives inside the command" },
  {
    kind: "name",
    found: /^(globalThis\.)?(Date\.now|new Date\(\))$/,
    at: CLOCKED,
    except: CLOCKLESS,
    use: "the clock that is passed in (in core: the command's time)",
  },
  {
    kind: "name",
    found: /^(globalThis\.)?(setTimeout|setInterval)$/,
    at: CLOCKED,
    except: CLOCKLESS,
    use: "the clock that is passed in (in core: a timer as data)",
  },
  {
    kind: "import",
    found: /^(node:)?timers(\/promises)?#(?!setImmediate$)/,
    at: CLOCKED,
    except: CLOCKLESS,
    use: "the clock that is passed in",
  },
  {
    kind: "name",
    found: /^Math\.random$/,
    at: CLOCKED,
    except: CLOCKLESS,
    use: "randomness that is passed in (in core: inside the command)",
  },
  {
    kind: "syntax",
    found: /^export default$/,
    except: ["**/*.config.ts", "*.config.ts", "knip.ts", "examples/**"],
    use: "a named export",
  },
  { kind: "syntax", found: /^export \*$/, use: "a list of names" },
  {
    kind: "import",
    found: /^@holdpoint\/(?!protocol(?:[/#]|$))/,
    at: ["packages/server/**"],
    use: "@holdpoint/protocol: the server depends on no library for agents, not even in its tests",
  },
  {
    kind: "shown",
    found: /\p{L}{2,}/u,
    at: ["packages/web/src/**/*.tsx", "packages/react/src/**/*.tsx"],
    except: ["**/*.test.tsx"],
    use: "WORDS at the top of the file or in words.ts, so that a translation finds every text in one place",
  },
  { kind: "syntax", found: /^enum$/, use: "a union of strings" },
  { kind: "syntax", found: /^as any$/, use: "unknown and a check" },
  { kind: "comment", found: /@ts-(ignore|nocheck)/, use: "types that fit" },
  {
    kind: "name",
    found: /^(test|it|describe|suite|context|ctx)(\.\w+)*\.(only|skip|todo)$/,
    use: "a test that runs, beside the others",
  },
  {
    kind: "name",
    found: /^console\.(log|info|debug|dir|table|trace)$/,
    except: [
      "**/cli/**",
      "**/bench/**",
      "**/sim/**",
      "tools/**",
      "examples/**",
      "e2e/browser/screenshots.ts",
      "e2e/attack/main.ts",
      "e2e/roles/write.ts",
      "e2e/soak.ts",
    ],
    use: "the logger that is passed in, or nothing",
  },
  {
    kind: "string",
    found: /\bnow\s*\(\s*\)|\bcurrent_(timestamp|date|time)\b|['"]now['"]/i,
    at: [`${SERVER}/store/**`],
    use: "a parameter: the time comes from the batch",
  },
  {
    kind: "path",
    found: /\.tsx$/,
    except: ["packages/react/**", "packages/web/**", "examples/react-inbox/app.tsx"],
    use: ".ts: Node does not load .tsx",
  },
  {
    kind: "path",
    found: /[^a-z0-9./-]/,
    at: CODE,
    use: "kebab-case",
  },
  { kind: "line", found: /(?<![\w.}@])\/(work|root)\//, use: "a path relative to the repository" },
  { kind: "line", found: /\bthis session\b/i, use: "words about the product (a person's stay is a sign-in)" },
  { kind: "line", found: /\bissue #/i, use: "the reason itself" },
];

export const LIMITS = {
  fileLines: { max: 500, at: [...CODE, "**/*.css", "**/*.sql"] },
  functionLines: { max: 70, at: CODE, except: TESTS },
  /** In all product code together. Each has a comment above it that says why it holds. */
  doubleCasts: { max: 14, at: ["packages/*/src/**"], except: KNOWS_ALL },
} as const;

export interface Exception {
  readonly path: string;
  /** What the finding says was found. */
  readonly found: string;
  readonly reason: string;
}

/** One by one, by path. An exception that nothing needs any more is itself a finding. */
export const EXCEPTIONS: readonly Exception[] = [
  {
    path: "examples/hitl-next/app/[...hitl]/route.ts",
    found: "[",
    reason: "Next.js names a route that takes every other path so",
  },
  {
    path: "examples/hitl-next/app/api/letters/[batch]/send/route.ts",
    found: "[",
    reason: "Next.js names a part of a path that varies so",
  },
];
