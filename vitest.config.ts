import { defineConfig } from "vitest/config";
import { LongestFirst } from "./tools/longest-first.ts";
import { COVERING_FOLDERS, PURE_FOLDERS } from "./tools/pure-folders.ts";
import { SlowestTests } from "./tools/slowest-tests.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Races, seeds and rounds of `kill -9` are few in `npm test` and many in `npm run test:full`. */
    readonly isFull: boolean;
  }
}

const SOURCE = "@holdpoint/source";
const conditions = {
  ssr: { resolve: { conditions: [SOURCE, "node"] } },
  resolve: { conditions: [SOURCE] },
};

const RULES = COVERING_FOLDERS.map((folder) => `${folder}/**/*.test.ts`);
const PARTS = ["packages/*/{src,sim,bench}/**/*.test.ts"];
const COMPONENTS = ["packages/{react,web}/src/**/*.test.{ts,tsx}"];
const WHOLE = ["tools/**/*.test.ts", "e2e/**/*.test.ts"];
/** These share one server, and the files of a process one Chromium. */
const BROWSER = ["e2e/browser/*.test.ts", "e2e/matrix/*.test.ts", "e2e/plain-pages.test.ts"];
const SHARED_BROWSER = "e2e/browser/global-setup.ts";
const TIDY = ["tools/tidy.test.ts", "tools/tidy/**/*.test.ts"];
const NOT_OURS = ["**/node_modules/**", "**/dist/**"];
const LONG = ["**/*.full.test.{ts,tsx}"];

/** What says nothing of its store, and so must hold on each: faces, chats, races, crashes. */
const ON_ANY_STORE = [
  "packages/server/src/{faces,identity,openintent,agui}/**/*.test.ts",
  "packages/server/src/channels/chat/*.test.ts",
  "packages/server/src/cli/rules-replay.full.test.ts",
  "packages/adapters/src/**/*.test.ts",
  "e2e/{attack,crash,gate,hitl,openintent}/**/*.test.ts",
  "e2e/*.test.ts",
];

const how = { pool: "forks", retry: 0, testTimeout: 30_000, hookTimeout: 60_000 } as const;
/** Node loads the sources by itself, as in production: a seventh less work than through Vite, which only JSX needs. */
const NATIVE = { experimental: { viteModuleRunner: false, nodeLoader: false } } as const;

/**
 * `npm test` leaves out `*.full.test.ts`, which take minutes; `npm run test:full` (`--mode full`) runs them too, and once more
 * over PostgreSQL what must hold on any store.
 */
const projects = (isFull: boolean) => {
  const exclude = isFull ? NOT_OURS : [...NOT_OURS, ...LONG];
  const provide = { isFull };
  // No module of ours has a state that a test could leave behind, so that files of one process load each of them once:
  // half of the time otherwise.
  const withJsx = { ...how, provide, isolate: false };
  const together = { ...withJsx, ...NATIVE };
  return [
    { ...conditions, test: { ...together, name: "tidy", include: TIDY } },
    { ...conditions, test: { ...together, name: "rules", include: RULES, exclude } },
    {
      ...conditions,
      test: { ...together, name: "parts", include: PARTS, exclude: [...exclude, ...RULES, ...COMPONENTS] },
    },
    { ...conditions, test: { ...withJsx, name: "components", include: COMPONENTS, exclude } },
    {
      ...conditions,
      test: { ...together, name: "whole", include: WHOLE, exclude: [...exclude, ...TIDY, ...BROWSER] },
    },
    {
      ...conditions,
      test: {
        ...together,
        name: "browser",
        include: BROWSER,
        exclude,
        globalSetup: [SHARED_BROWSER],
        // A page hears of a change through its stream, which may take more than the usual second on a busy machine.
        expect: { poll: { timeout: 8_000 } },
      },
    },
    ...(isFull ? [onPostgres] : []),
  ];
};

const onPostgres = {
  ...conditions,
  test: {
    ...how,
    ...NATIVE,
    name: "postgres",
    include: ON_ANY_STORE,
    exclude: NOT_OURS,
    setupFiles: ["packages/server/src/testing/postgres/whole-file.ts"],
    provide: { isFull: true },
    testTimeout: 120_000,
  },
};

export default defineConfig(({ mode }) => ({
  test: {
    projects: projects(mode === "full"),
    globalSetup: ["packages/server/src/testing/postgres/global-setup.ts", "tools/compile-cache.ts"],
    sequence: { sequencer: LongestFirst },
    reporters: ["default", new SlowestTests()],
    // So that clocks and servers under test are not starved on a small machine.
    maxWorkers: 2,
    coverage: {
      provider: "v8",
      include: PURE_FOLDERS.map((folder) => `${folder}/**/*.ts`),
      exclude: ["**/*.test.ts", "**/*.suite.ts"],
      // Two runs in one clone must not share a folder; this one is empty at the end, and removed.
      reportsDirectory: `coverage/${process.pid}`,
      reporter: ["text-summary"],
      thresholds: { lines: 100, branches: 100, functions: 100, statements: 100 },
    },
  },
}));
