import { defineConfig } from "vitest/config";

const SOURCE = "@holdpoint/source";
const conditions = {
  ssr: { resolve: { conditions: [SOURCE, "node"] } },
  resolve: { conditions: [SOURCE] },
};

const ALL = ["packages/*/{src,sim,bench}/**/*.test.{ts,tsx}", "tools/**/*.test.ts", "e2e/**/*.test.ts"];
const NOT_OURS = ["**/node_modules/**", "**/dist/**"];

/** What says nothing of its store, and so must hold on each: faces, races, crashes. */
const ON_ANY_STORE = [
  "packages/server/src/{faces,identity}/**/*.test.ts",
  "packages/adapters/src/**/*.test.ts",
  "e2e/{crash,gate,hitl,openintent}/**/*.test.ts",
  "e2e/*.test.ts",
];

const how = {
  // Whole processes, so that nothing one file leaves behind reaches the next; two, so that clocks and servers under
  // test are not starved on a small machine.
  pool: "forks",
  isolate: true,
  retry: 0,
  testTimeout: 30_000,
  hookTimeout: 60_000,
} as const;

/**
 * `npm test` leaves out `*.full.test.ts`, which take minutes; `npm run test:full` (`--mode full`) runs them too, and once more
 * over PostgreSQL what must hold on any store.
 */
const full = [
  { ...conditions, test: { ...how, name: "all", include: ALL, exclude: NOT_OURS } },
  {
    ...conditions,
    test: {
      ...how,
      name: "postgres",
      include: ON_ANY_STORE,
      exclude: NOT_OURS,
      setupFiles: ["packages/server/src/testing/postgres/whole-file.ts"],
      testTimeout: 120_000,
    },
  },
];

export default defineConfig(({ mode }) => ({
  ...conditions,
  test: {
    ...(mode === "full"
      ? { projects: full }
      : { include: ALL, exclude: [...NOT_OURS, "**/*.full.test.{ts,tsx}"] }),
    globalSetup: ["packages/server/src/testing/postgres/global-setup.ts"],
    ...how,
    maxWorkers: 2,
    coverage: {
      provider: "v8",
      include: ["packages/server/src/core/**/*.ts", "packages/protocol/src/rules/**/*.ts"],
      exclude: ["**/*.test.ts", "**/*.suite.ts"],
      reporter: ["text-summary", "json-summary"],
      thresholds: { lines: 100, branches: 100, functions: 100, statements: 100 },
    },
  },
}));
