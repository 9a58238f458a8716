import { defineConfig } from "vitest/config";

export default defineConfig({
  ssr: { resolve: { conditions: ["@holdpoint/source", "node", "import"] } },
  resolve: { conditions: ["@holdpoint/source"] },
  test: {
    include: ["packages/*/{src,sim}/**/*.test.{ts,tsx}", "tools/**/*.test.ts", "e2e/**/*.test.ts"],
    pool: "forks",
    testTimeout: 30_000,
    hookTimeout: 60_000,
    coverage: {
      provider: "v8",
      include: ["packages/server/src/core/**", "packages/protocol/src/rules/**"],
      exclude: ["**/*.test.ts"],
      reporter: ["text-summary", "json-summary"],
      thresholds: { lines: 100, branches: 100, functions: 100, statements: 100 },
    },
  },
});
