import { existsSync, readFileSync } from "node:fs";
import { SkillFrontMatter } from "@holdpoint/protocol/hitl";
import * as sdk from "@holdpoint/sdk";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import * as agent from "./agent/index.ts";
import * as render from "./render/index.ts";
import * as service from "./service/index.ts";

const FOLDER = new URL("../../../skills/holdpoint/", import.meta.url);
const PAGES = ["SKILL.md", "references/agent.md", "references/service.md"] as const;
const read = (page: string) => readFileSync(new URL(page, FOLDER), "utf8");

const ENTRIES: Readonly<Record<string, object>> = {
  "@holdpoint/sdk": sdk,
  "@holdpoint/hitl/agent": agent,
  "@holdpoint/hitl/render": render,
  "@holdpoint/hitl/service": service,
};

describe("this repository's skill", () => {
  const skill = read("SKILL.md");

  test("HP-180 the skill has front matter that agents can read", () => {
    const matter = parse(skill.split("---\n")[1] ?? "");
    expect(SkillFrontMatter.parse(matter)).toEqual(matter);
    expect(matter.metadata.hitl.supported).toBe(true);
    expect(matter.description.length).toBeLessThanOrEqual(1024);
  });

  test("HP-181 the skill has a section on handling reviews, and guidelines", () => {
    expect(skill).toContain("\n## HITL Handling\n");
    expect(skill).toContain("\n## Agent Guidelines\n");
  });

  test("the skill's links lead to files", () => {
    for (const page of PAGES)
      for (const [, target] of read(page).matchAll(/\]\(([^)#:]+)\)/g))
        expect(existsSync(new URL(target!, new URL(page, FOLDER))), `${page} → ${target}`).toBe(true);
  });

  test.each(PAGES)("the page %s imports only what the packages export", (page) => {
    for (const [, names, from] of read(page).matchAll(/import \{ ([^}]+) \} from "(@holdpoint\/[^"]+)"/g))
      for (const name of names!.split(",").map((one) => one.trim()))
        expect(ENTRIES[from!], `${page}: ${from}`).toHaveProperty(name);
  });
});
