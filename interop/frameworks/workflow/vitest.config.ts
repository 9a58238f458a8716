import { workflow } from "@workflow/vitest";
import { defineConfig } from "vitest/config";

export default defineConfig({
  plugins: [workflow()],
  test: { include: ["*.case.ts"], testTimeout: 60_000, hookTimeout: 60_000 },
});
