import { defineConfig } from "vitest/config";

const SOURCE = "@holdpoint/source";

/** `npm test` leaves out `*.full.test.ts`, which take minutes; `npm run test:full` (`--mode full`) runs them too. */
export default defineConfig(({ mode }) => ({
  ssr: { resolve: { conditions: [SOURCE, "node"] } },
  resolve: { conditions: [SOURCE] },
  test: {
    include: ["packages/*/{src,sim,bench}/**/*.test.{ts,tsx}", "tools/**/*.test.ts", "e2e/**/*.test.ts"],
    exclude: ["**/node_modules/**", "**/dist/**", ...(mode === "full" ? [] : ["**/*.full.test.{ts,tsx}"])],
    globalSetup: ["packages/server/src/testing/postgres/global-setup.ts"],
    // Whole processes, so that nothing one file leaves behind reaches the next; two, so that clocks and servers under
    // test are not starved on a small machine.
    pool: "forks",
    maxWorkers: 2,
    isolate: true,
    retry: 0,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    coverage: {
      provider: "v8",
      include: ["packages/server/src/core/**/*.ts", "packages/protocol/src/rules/**/*.ts"],
      exclude: ["**/*.test.ts", "**/*.suite.ts"],
      reporter: ["text-summary", "json-summary"],
      thresholds: { lines: 100, branches: 100, functions: 100, statements: 100 },
    },
  },
}));
