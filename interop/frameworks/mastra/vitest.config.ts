import { defineConfig } from "vitest/config";

const conditions = ["@holdpoint/source", "node"];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: { include: ["*.case.ts"], testTimeout: 60_000, provide: { isFull: true } },
});
