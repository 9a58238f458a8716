import { InterruptHistory } from "@holdpoint/react/agui";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";

const interrupt = { id: "i1", reason: "confirmation", message: "Send it?" };

it.each([
  [undefined, null],
  [1, "sent again once, nothing done twice"],
  [3, "sent again 3 times, nothing done twice"],
])("AG-099 the history says that an answer came %s more times", (replays, words) => {
  const past = [
    { interrupt, status: "resolved" as const, by: "Ada", ...(replays === undefined ? {} : { replays }) },
  ];
  const page = renderToStaticMarkup(createElement(InterruptHistory, { past }));
  expect(page).toContain("Ada");
  if (words === null) expect(page).not.toContain("again");
  else expect(page.replaceAll("<!-- -->", "")).toContain(words);
});
