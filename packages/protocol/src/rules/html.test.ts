import { expect, test } from "vitest";
import { escapeHtml } from "./html.ts";

test("escaped text is neither a tag, an entity nor the end of an attribute", () => {
  expect(escapeHtml(`<a href="x" title='y'>&amp;</a>`)).toBe(
    "&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;amp;&lt;/a&gt;",
  );
});
