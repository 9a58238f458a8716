import { openApiDocument } from "@holdpoint/protocol";
import { describe, expect, it } from "vitest";
import { testServer } from "../../testing/test-server.ts";

/** `/v1/holds/:id` and `/v1/holds/{id}` are one address. */
function address(method: string, path: string): string {
  return `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`;
}

/** Pages are for people; everything else is in the document. */
const PAGES = /^\/($|assets\/|console|signin|signout|review\/(?!:case_id\/respond)|docs)/;

describe("served and documented operations", () => {
  it("the served addresses are exactly the documented ones", async () => {
    await using test = await testServer();
    const { app, operationSets } = test.server;
    const served = app.routes.map(({ method, path }) => address(method, path));
    const declared = operationSets
      .flatMap((set) => set.operations)
      .map(({ method, path }) => address(method, path));
    expect(declared.filter((each) => !served.includes(each))).toEqual([]);
    const apart = served.filter((each) => !declared.includes(each));
    expect(apart.filter((each) => !PAGES.test(each.slice(each.indexOf("/"))))).toEqual([]);
  });

  it("all faces are described in one OpenAPI document", async () => {
    await using test = await testServer();
    const { body } = await test.call("GET", "/openapi.json");
    const { title, description, version } = body.info;
    const servers = ["http://localhost:4100"];
    expect(body).toEqual(
      openApiDocument(test.server.operationSets, { title, description, version, servers }),
    );
    expect(title).toBe("Holdpoint");
  });

  it("no two faces use the same operation id, tag or path", async () => {
    await using test = await testServer();
    const ids = test.server.operationSets.flatMap((set) => set.operations.map(({ id }) => id));
    expect(new Set(ids).size).toBe(ids.length);
  });
});

it.each(["/openapi.json", "/docs", "/docs/errors"])(
  "the first request for %s, which needs no key, is answered in many turns of the event loop (G13)",
  async (path) => {
    await using test = await testServer();
    let turns = 0;
    let isOver = false;
    const count = () => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    expect((await test.call("GET", path)).status).toBe(200);
    isOver = true;
    expect(turns).toBeGreaterThan(10);
  },
);
