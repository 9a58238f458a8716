import { Discovery07, Discovery08, SkillFrontMatter } from "@holdpoint/protocol/hitl";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { HOLDPOINT_URL, MemoryHolds } from "../testing/memory-holds.ts";
import type { HitlDeclaration } from "./declaration.ts";
import { hitlService } from "./service.ts";
import { skillName } from "./skill.ts";

const BASE = "https://shop.example";
const FULL: HitlDeclaration = {
  baseUrl: `${BASE}/hitl`,
  name: "Shop Über",
  description: 'Sells "things": all of them.',
  url: BASE,
  contact: "help@shop.example",
  types: ["selection", "x-compare"],
  defaultTimeout: "48h",
  inline: true,
  choiceRequired: true,
  improvements: true,
  info: "Asks which things to buy.",
  authentication: { type: "bearer", documentation: `${BASE}/docs` },
  dataRetentionDays: 30,
  privacyPolicy: `${BASE}/privacy`,
  termsOfService: `${BASE}/terms`,
};
const PLAIN: HitlDeclaration = { baseUrl: BASE, name: "Shop", description: "Sells things." };

function serviceOf(declaration: HitlDeclaration) {
  return hitlService(declaration, {
    holds: new MemoryHolds(),
    holdpoint: { url: HOLDPOINT_URL },
    identify: () => undefined,
  });
}

describe("discovery", () => {
  test("HP-175 the discovery document is public and may be cached for a day", async () => {
    const response = await serviceOf(PLAIN).handle(new Request(`${BASE}/.well-known/hitl.json`));
    expect(response?.status).toBe(200);
    expect(response?.headers.get("cache-control")).toBe("public, max-age=86400");
    expect(response?.headers.get("hitl-versions")).toBe("0.7, 0.8");
  });

  test("HP-176 the discovery document fits the schema of the version that was asked for", async () => {
    for (const declaration of [PLAIN, FULL]) {
      const service = serviceOf(declaration);
      expect(Discovery07.parse(service.discovery())).toEqual(service.discovery());
      expect(Discovery08.parse(service.discovery("0.8"))).toEqual(service.discovery("0.8"));
      for (const request of [
        new Request(`${BASE}/.well-known/hitl.json?spec_version=0.8`),
        new Request(`${BASE}/.well-known/hitl.json`, { headers: { "hitl-version": "0.8" } }),
      ]) {
        const response = await service.handle(request);
        expect(response?.headers.get("hitl-version")).toBe("0.8");
        expect(await response?.json()).toEqual(service.discovery("0.8"));
      }
    }
  });

  test("HP-177 the discovery document says exactly what the author declared", () => {
    expect(serviceOf(FULL).discovery()).toMatchObject({
      hitl_protocol: {
        spec_version: "0.7",
        capabilities: {
          review_types: ["selection", "x-compare"],
          transports: ["polling", "sse"],
          default_timeout: "48h",
          max_timeout: "P7D",
          supports_inline_submit: true,
          supports_signatures: false,
        },
        endpoints: { reviews_base: `${BASE}/hitl/reviews`, well_known: `${BASE}/.well-known/hitl.json` },
      },
    });
    expect(serviceOf(PLAIN).discovery()).toMatchObject({
      hitl_protocol: {
        capabilities: {
          review_types: ["approval", "selection", "input", "confirmation", "escalation"],
          default_timeout: "24h",
          supports_inline_submit: false,
        },
      },
    });
  });

  test("HP-178 the discovery document names the polling interval and the limit per minute", () => {
    expect(serviceOf(PLAIN).discovery()).toMatchObject({
      hitl_protocol: { rate_limits: { poll_recommended_interval_seconds: 30, max_requests_per_minute: 60 } },
    });
  });

  test("HP-179 the discovery document promises a retention only where one was declared", () => {
    expect(serviceOf(FULL).discovery()).toMatchObject({
      hitl_protocol: { policies: { data_retention_days: 30 } },
    });
    expect(JSON.stringify(serviceOf(PLAIN).discovery())).not.toContain("policies");
  });
});

describe("SKILL.md", () => {
  const frontMatter = (markdown: string) => parse(markdown.split("---\n")[1] ?? "");

  test("HP-180 SKILL.md has front matter made from the same declaration", async () => {
    const response = await serviceOf(FULL).handle(new Request(`${BASE}/hitl/SKILL.md`));
    expect(response?.headers.get("content-type")).toContain("text/markdown");
    const matter = frontMatter(await response!.text());
    expect(SkillFrontMatter.parse(matter)).toEqual(matter);
    expect(matter).toEqual({
      name: "shop-uber",
      description: 'Sells "things": all of them.',
      metadata: {
        hitl: {
          supported: true,
          types: ["selection", "x-compare"],
          info: "Asks which things to buy.",
          review_base_url: `${BASE}/hitl/review`,
          timeout_default: "48h",
          supports_inline_submit: true,
          hitl_required: true,
          supports_improvement_suggestions: true,
        },
      },
    });
    expect(SkillFrontMatter.safeParse(frontMatter(serviceOf(PLAIN).skill())).success).toBe(true);
  });

  test("HP-181 SKILL.md tells agents how to handle a review, and what to choose where a choice is required", () => {
    const full = serviceOf(FULL).skill();
    expect(full).toContain("\n## HITL Handling\n");
    expect(full).toContain("\n## Agent Guidelines\n");
    expect(full).toContain("submit_token");
    expect(full).toContain("improvement_suggestions");
    const plain = serviceOf(PLAIN).skill();
    expect(plain).toContain("\n## HITL Handling\n");
    for (const word of ["## Agent Guidelines", "submit_token", "improvement_suggestions`. Share"])
      expect(plain).not.toContain(word);
  });

  test("a skill's name is made of words joined by hyphens", () => {
    expect(skillName("Über Shop 24!")).toBe("uber-shop-24");
    expect(skillName("商店")).toBe("service");
    expect(skillName("x".repeat(99))).toHaveLength(64);
  });
});
