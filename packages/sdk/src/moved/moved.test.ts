import * as agui from "@holdpoint/protocol/agui";
import { describe, expect, test } from "vitest";

describe("entries of the SDK that have moved", () => {
  test.each([
    ["gate", "@holdpoint/gate"],
    ["gate/host", "@holdpoint/gate"],
    ["hitl", "@holdpoint/hitl"],
    ["hitl/agent", "@holdpoint/hitl"],
    ["hitl/render", "@holdpoint/hitl"],
    ["hitl/service", "@holdpoint/hitl"],
    ["openintent", "@holdpoint/openintent"],
  ])("@holdpoint/sdk/%s throws a sentence that names the package to install", async (entry, name) => {
    const file = `./${entry.replace("/", "-")}.ts`;
    await expect(import(file)).rejects.toThrow(
      `@holdpoint/sdk/${entry} is a package of its own now: run \`npm install ${name}\` and import from "@holdpoint/${entry}".`,
    );
  });

  test("@holdpoint/sdk/agui hands on everything of @holdpoint/protocol/agui", async () => {
    expect(await import("./agui.ts")).toEqual(agui);
  });
});
