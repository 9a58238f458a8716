/** The description of the API, for programs and for people; only the first is an operation of the API itself. */

import { operations as native } from "@holdpoint/protocol";
import { page } from "../http/page.ts";

export const operations = {
  openApi: native.openApi,
  docs: page({ id: "docs", path: "/docs" }),
  docsOfErrors: page({ id: "docsOfErrors", path: "/docs/errors" }),
  docsStyle: page({ id: "docsStyle", path: "/assets/docs.css", media: "text/css" }),
};
