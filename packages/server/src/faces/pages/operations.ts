/** The pages, declared like the operations of an API. */

import { PasskeyProof } from "@holdpoint/protocol";
import * as z from "zod";
import type { Handlers } from "../http/mount.ts";
import { page } from "../http/page.ts";
import type { PageDeps } from "./deps.ts";
import type { appDoors, doors } from "./doors.ts";
import type { PostedForm } from "./posted-form.ts";

const ofCase = { security: "link", params: z.strictObject({ case_id: z.string() }) } as const;
const ofHold = { security: "session", params: z.strictObject({ id: z.string() }) } as const;

const ofProvider = { params: z.strictObject({ provider: z.string() }) } as const;
const formPage = { method: "POST", body: z.custom<PostedForm>() } as const;

export const operations = {
  reviewPage: page({ ...ofCase, id: "reviewPage", path: "/review/{case_id}" }),
  answerForm: page({
    ...ofCase,
    id: "answerForm",
    method: "POST",
    path: "/review/{case_id}/answer",
    body: z.custom<PostedForm>(),
  }),
  challengeForm: page({
    ...ofCase,
    id: "challengeForm",
    method: "POST",
    path: "/review/{case_id}/challenge",
    body: z.custom<PostedForm>(),
  }),
  dismissForm: page({ ...ofCase, id: "dismissForm", method: "POST", path: "/review/{case_id}/dismiss" }),
  reviewState: page({ ...ofCase, id: "reviewState", path: "/review/{case_id}/state" }),
  keepDraft: page({
    ...ofCase,
    id: "keepDraft",
    method: "PUT",
    path: "/review/{case_id}/draft",
    body: z.unknown(),
  }),

  signIn: page({ id: "signIn", path: "/signin" }),
  linkPage: page({ id: "linkPage", path: "/signin/link" }),
  useLink: page({ ...formPage, id: "useLink", path: "/signin/link" }),
  emailSignIn: page({ ...formPage, id: "emailSignIn", path: "/signin/email" }),
  oidcBegin: page({ ...ofProvider, id: "oidcBegin", path: "/signin/oidc/{provider}" }),
  oidcLink: page({
    ...ofProvider,
    id: "oidcLink",
    method: "POST",
    path: "/signin/oidc/{provider}/link",
    security: "session",
  }),
  oidcCallback: page({ ...ofProvider, id: "oidcCallback", path: "/signin/oidc/{provider}/callback" }),
  oidcLogout: page({
    ...ofProvider,
    ...formPage,
    id: "oidcLogout",
    path: "/signin/oidc/{provider}/logout",
  }),
  sessionState: page({ id: "sessionState", path: "/signin/session", security: "session" }),
  signInDone: page({ id: "signInDone", path: "/signin/done" }),
  signInChallenge: page({ id: "signInChallenge", method: "POST", path: "/signin/challenge" }),
  signInByPasskey: page({
    id: "signInByPasskey",
    method: "POST",
    path: "/signin/passkey",
    body: PasskeyProof,
  }),
  signOut: page({ id: "signOut", method: "POST", path: "/signout", security: "session" }),
  inbox: page({ id: "inbox", path: "/console", security: "session" }),
  holdPage: page({ ...ofHold, id: "holdPage", path: "/console/holds/{id}" }),
  noteOpened: page({ ...ofHold, id: "noteOpened", method: "POST", path: "/console/holds/{id}/open" }),
  answerHold: page({ ...ofHold, id: "answerHold", method: "POST", path: "/console/holds/{id}/answer" }),
  dismissHold: page({ ...ofHold, id: "dismissHold", method: "POST", path: "/console/holds/{id}/dismiss" }),

  home: page({ id: "home", path: "/" }),
  webAsset: page({
    id: "webAsset",
    path: "/assets/web/{file}",
    params: z.strictObject({ file: z.string() }),
  }),
  /** At the root, because a worker may serve only what lies beneath its own address. */
  consoleWorker: page({ id: "consoleWorker", path: "/console-worker.js", media: "text/javascript" }),
  consoleManifest: page({
    id: "consoleManifest",
    path: "/console.webmanifest",
    media: "application/manifest+json",
  }),
  plainStyle: page({ id: "plainStyle", path: "/assets/plain.css", media: "text/css" }),
};

/** Pages that need JavaScript. */
export const appOperations = {
  playground: page({ id: "playground", path: "/playground", security: "session" }),
  agUiPlayground: page({ id: "agUiPlayground", path: "/playground/agui", security: "session" }),
  consoleApp: page({ id: "consoleApp", path: "/console/*", security: "session" }),
  gallery: page({ id: "gallery", path: "/gallery", security: "session" }),
};

/** The handlers of a group of pages. */
export type Routes = Partial<Handlers<typeof operations, PageDeps, typeof doors>>;
export type AppRoutes = Handlers<typeof appOperations, PageDeps, typeof appDoors>;
