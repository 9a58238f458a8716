import { workflow } from "@workflow/vitest";
import { defineConfig } from "vitest/config";

const conditions = ["@holdpoint/source", "node"];
export default defineConfig({
  plugins: [workflow()],
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: { include: ["*.case.ts"], testTimeout: 60_000, hookTimeout: 60_000 },
});
