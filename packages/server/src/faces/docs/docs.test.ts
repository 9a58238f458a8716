import { CODES, docsUrl, nativeSet } from "@holdpoint/protocol";
import { describe, expect, it } from "vitest";
import { testServer } from "../../testing/test-server.ts";
import { referencePage } from "./page.ts";
import { referenceOf } from "./reference.ts";

describe("reference pages", () => {
  it("the reference pages show every operation of every face, with its refusals", async () => {
    await using test = await testServer();
    const { body: page } = await test.call("GET", "/docs");
    for (const { id, path, errors } of test.server.operationSets.flatMap((set) => set.operations)) {
      const at = page.indexOf(`<article id="${id}">`);
      expect(at, id).toBeGreaterThan(0);
      const article = page.slice(at, page.indexOf("</article>", at));
      expect(article).toContain(path);
      expect(article).toContain("curl");
      for (const code of errors) expect(article).toContain(`<code>${code}</code>`);
    }
  });

  it("the reference pages have strict headers and no script", async () => {
    await using test = await testServer();
    for (const path of ["/docs", "/docs/errors"]) {
      const { status, headers, body } = await test.call("GET", path);
      expect(status).toBe(200);
      expect(headers.get("content-security-policy")).toContain("default-src 'none'");
      expect(headers.get("content-security-policy")).not.toContain("script-src");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
      expect(body).not.toMatch(/<script|\sstyle="|\son\w+="/i);
    }
    expect((await test.call("GET", "/assets/docs.css")).headers.get("content-type")).toContain("text/css");
  });

  it("the reference pages explain every error code at the address that its problem details name", async () => {
    await using test = await testServer();
    const pages = new Map<string, { readonly status: number; readonly body: string }>();
    for (const code of CODES) {
      const [path = "", anchor] = docsUrl(code).split("#");
      const page = pages.get(path) ?? (await test.call("GET", path));
      pages.set(path, page);
      expect(page.status, code).toBe(200);
      expect(page.body, code).toContain(`id="${anchor}"`);
    }
  });

  it("the reference pages escape markup in a declaration", () => {
    const [first, ...rest] = nativeSet.operations;
    if (first === undefined) throw new Error("there are operations");
    const summary = "A `<b>` & </script><script>alert(1)</script>";
    const set = { ...nativeSet, operations: [{ ...first, summary }, ...rest] };
    const page = referencePage(referenceOf([set], "http://localhost"), "1");
    expect(page).not.toContain("<script>");
    expect(page).toContain("<code>&lt;b&gt;</code> &amp; &lt;/script&gt;");
  });
});

describe("the reference as text", () => {
  const { faces } = referenceOf([nativeSet], "http://localhost:4100");
  const all = faces.flatMap(({ tags }) => tags.flatMap(({ operations }) => operations));
  const place = all.find(({ id }) => id === "placeHold");

  it("the reference lists the members of each body with path, type and whether they are required", () => {
    expect(place?.body).toContainEqual(
      expect.objectContaining({ name: "prompt", type: "string", required: true }),
    );
    expect(place?.body).toContainEqual(expect.objectContaining({ name: "options[].label", required: true }));
    expect(place?.body).toContainEqual(expect.objectContaining({ name: "ladder[].after", required: false }));
  });

  it("the reference shows calls that can be pasted into a shell", () => {
    expect(place?.curl).toContain('curl --request POST "http://localhost:4100/v1/holds" \\\n');
    expect(all.find(({ id }) => id === "getHold")?.curl).toContain("/v1/holds/$ID");
    expect(all.find(({ id }) => id === "streamEvents")?.curl).toContain("--no-buffer");
  });

  it("every member of a request has a description in the reference, unless it needs none", () => {
    const unsaid = all.flatMap(({ id, body, parameters }) =>
      [...body, ...parameters]
        .filter(
          ({ description, place, name }) => description === "" && place !== "path" && /^[\w-]+$/.test(name),
        )
        .map(({ name }) => `${id} ${name}`),
    );
    expect(unsaid).toEqual([]);
  });
});
