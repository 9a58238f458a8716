/** The handlers of every page. */

import { fail } from "../../http/failure.ts";
import type { Handlers } from "../../http/mount.ts";
import { STYLE_HEADERS } from "../../http/page.ts";
import { problemDetails } from "../../http/respond.ts";
import type { PageDeps } from "../deps.ts";
import type { doors } from "../doors.ts";
import type { operations, Routes } from "../operations.ts";
import { PLAIN_CSS } from "../plain/style.ts";
import { consolePages } from "./console.ts";
import { review } from "./review.ts";
import { signInPages } from "./sign-in.ts";

const absent = () => problemDetails(fail("not_found", "nothing is served here"));

const assets = {
  home: () => ({ status: 302, headers: { location: "/console" } }),
  webAsset: ({ params, header }, { asset }) =>
    asset?.(params.file, header("accept-encoding") ?? "") ?? absent(),
  consoleWorker: ({ header }, { asset }) =>
    asset?.("console-worker.js", header("accept-encoding") ?? "") ?? absent(),
  consoleManifest: ({ header }, { asset }) =>
    asset?.("console.webmanifest", header("accept-encoding") ?? "") ?? absent(),
  plainStyle: () => ({ status: 200, body: PLAIN_CSS, headers: STYLE_HEADERS }),
} satisfies Routes;

export const routes = { ...review, ...signInPages, ...consolePages, ...assets } satisfies Handlers<
  typeof operations,
  PageDeps,
  typeof doors
>;
