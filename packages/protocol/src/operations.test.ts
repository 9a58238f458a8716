import { describe, expect, it } from "vitest";
import { nativeOperations, operations } from "./operations.ts";

describe("the native operations", () => {
  it("have unique ids", () => {
    expect(Object.entries(operations).filter(([name, operation]) => name !== operation.id)).toEqual([]);
  });

  it("have unique addresses", () => {
    const addresses = nativeOperations.map(
      ({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, "{}")}`,
    );
    expect(new Set(addresses).size).toBe(addresses.length);
  });

  it.each(nativeOperations)("$id declares exactly the parameters of its path", ({ path, params }) => {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(Object.keys(params?.shape ?? {})).toEqual(inPath);
  });

  it.each(nativeOperations)("$id names no refusal twice", ({ errors }) => {
    expect(new Set(errors).size).toBe(errors.length);
  });

  it.each(nativeOperations.filter(({ method }) => method === "GET"))(
    "$id, a GET, takes no body (G6)",
    (operation) => {
      expect(operation.body).toBeUndefined();
    },
  );

  it("need a credential, except health, readiness, metrics and the OpenAPI document", () => {
    const open = nativeOperations.filter(({ security }) => security === "none").map(({ path }) => path);
    expect(open).toEqual(["/healthz", "/readyz", "/metrics", "/openapi.json"]);
  });

  it("include every address of the reference", () => {
    const served = nativeOperations.map(({ method, path }) => `${method} ${path}`);
    for (const address of [
      "POST /v1/holds",
      "GET /v1/holds",
      "GET /v1/holds/{id}",
      "POST /v1/holds/{id}/answer",
      "POST /v1/holds/{id}/cancel",
      "GET /v1/holds/{id}/events",
      "POST /v1/holds/{id}/links",
      "GET /v1/holds/{id}/links",
      "DELETE /v1/holds/{id}/links/{link_id}",
      "POST /v1/holds/{id}/claim",
      "POST /v1/holds/{id}/claim/{claim_id}/done",
      "POST /v1/holds/{id}/claim/release",
      "GET /v1/events",
      "POST /v1/groups",
      "POST /v1/groups/{id}/answer",
      "POST /v1/keys",
      "POST /v1/webhooks",
      "GET /v1/deliveries",
      "POST /v1/deliveries/{id}/replay",
      "GET /v1/me",
    ]) {
      expect(served).toContain(address);
    }
  });
});
