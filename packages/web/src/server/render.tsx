/** What the server loads: pages in, HTML out. */

import type { AppView, ReviewView, SignInView, SimplePage } from "@holdpoint/protocol";
import { loadParts, partsUsed } from "@holdpoint/react";
import { renderToString } from "react-dom/server.edge";
import { ReviewPage } from "../review/page.tsx";
import { SimpleView } from "../review/simple.tsx";
import { SignInPage } from "../sign-in/view.tsx";
import { documentOf, type Manifest } from "./document.ts";

const WORDS = {
  signHoldpoint: "Sign in · Holdpoint",
};

await loadParts();

const TITLES = {
  open: "Waiting for you",
  decided: "Answered",
  expired: "Expired",
  cancelled: "Withdrawn",
} as const;

const REVIEW = "src/review/main.tsx";
const APP = "src/app/main.tsx";
const SIGN_IN = "src/sign-in/main.tsx";

/** The console can be put on a home screen. */
const INSTALLABLE =
  '<link rel="manifest" href="/console.webmanifest" crossorigin="use-credentials">' +
  '<link rel="apple-touch-icon" href="/assets/web/icon-192.png"><meta name="theme-color" content="#f5f4f1">';

export function createRenderer(manifest: Manifest) {
  const simple = (page: SimplePage) =>
    documentOf(manifest, {
      title: `${page.title} · Holdpoint`,
      entry: REVIEW,
      body: renderToString(<SimpleView {...page} />),
    });
  return {
    review: (view: ReviewView) => {
      const [body, parts] = partsUsed(() => renderToString(<ReviewPage view={view} />));
      const title = `${TITLES[view.hold.status]} · Holdpoint`;
      return documentOf(manifest, { title, entry: REVIEW, body, parts, state: view });
    },
    simple,
    signIn: (view: SignInView) =>
      documentOf(manifest, {
        title: WORDS.signHoldpoint,
        entry: SIGN_IN,
        body: renderToString(<SignInPage {...view} />),
        state: view,
      }),
    app: ({ plainPath, ...view }: AppView) =>
      documentOf(manifest, {
        title: "Console · Holdpoint",
        entry: APP,
        body: "",
        state: view,
        // Without script the same is shown without script.
        head: `${INSTALLABLE}<noscript><meta http-equiv="refresh" content="0;url=${encodeURI(plainPath).replaceAll('"', "")}"></noscript>`,
      }),
  };
}
