import { describe, expect, test } from "vitest";
import { isJsonRender, SURFACE_PROFILE, SurfaceProfile, surfaceProfile, surfaceToShow } from "./surface.ts";

const places = {
  caseId: "review_1",
  reviewUrl: "https://holds.example.com/review/review_1?token=t",
  respondUrl: "https://holds.example.com/reviews/review_1/respond?token=t",
};
const known = { "json-render": isJsonRender };
const made = surfaceProfile({ type: "approval", prompt: "Deploy?", context: { version: 2 } }, places);
const [surface] = made.surfaces;

describe("the surface of a case", () => {
  test("HP-244 a case's surface has the profile's shape, names the review page, and can be rendered", () => {
    expect(SurfaceProfile.safeParse(made).success).toBe(true);
    expect(made).toMatchObject({ profile: SURFACE_PROFILE, case_id: "review_1" });
    expect(surface).toMatchObject({ format: "json-render", fallback_review_url: places.reviewUrl });
    expect(isJsonRender(surface?.payload ?? null)).toBe(true);
  });

  test("HP-210 every button of a surface is the action submitReview, which posts its answer to the respond address", () => {
    const { elements } = (surface?.payload ?? {}) as {
      elements: Record<string, { type: string; on?: object }>;
    };
    const buttons = Object.values(elements).filter(({ type }) => type === "Button");
    expect(buttons.map(({ on }) => on)).toEqual(
      ["approve", "edit", "reject"].map((action) => ({
        press: { action: "submitReview", params: { url: places.respondUrl, action, data: {} } },
      })),
    );
  });

  test.each([
    [{ type: "input", prompt: "Who?" } as const, {}],
    [{ type: "approval", prompt: "Pay?" } as const, { answersInline: false }],
  ])(
    "HP-244 a case that buttons cannot answer gets a surface with a link to the review page: %j",
    (ask, more) => {
      const only = surfaceProfile(ask, { ...places, ...more }).surfaces[0]?.payload;
      expect(JSON.stringify(only)).not.toContain("submitReview");
      expect(JSON.stringify(only)).toContain("Open the review page");
    },
  );
});

describe("a client that received surfaces", () => {
  test("HP-244 a client shows the first surface that it can use", () => {
    const foreign = { ...surface, id: "other", format: "a2ui", payload: {} };
    const both = { ...made, surfaces: [foreign, surface] };
    expect(surfaceToShow(both, "https://page", known)).toMatchObject({
      kind: "surface",
      surface: { id: "review" },
    });
  });

  test.each([
    ["an unknown format", { ...made, surfaces: [{ ...surface, format: "constructor" }] }],
    [
      "a payload that cannot be drawn",
      { ...made, surfaces: [{ ...surface, payload: { root: "x", elements: {} } }] },
    ],
    [
      "a missing child",
      {
        ...made,
        surfaces: [
          { ...surface, payload: { root: "a", elements: { a: { type: "Card", children: ["b"] } } } },
        ],
      },
    ],
    [
      "an element without a type",
      { ...made, surfaces: [{ ...surface, payload: { root: "a", elements: { a: {} } } }] },
    ],
    ["no object", { ...made, surfaces: [{ ...surface, payload: 3 }] }],
    ["another profile", { ...made, profile: "hitl-surface-interop/v9" }],
    ["no surface", { ...made, surfaces: [] }],
    ["nothing", undefined],
  ])("HP-244 a client falls back to the review page when it gets %s", (_name, received) => {
    expect(surfaceToShow(received, places.reviewUrl, known)).toEqual({ kind: "page", url: places.reviewUrl });
  });
});
