/** The sign-in page in the browser: takes over what the server drew. */

import type { SignInView } from "@holdpoint/protocol";
import { hydrateRoot } from "react-dom/client";
import { SIGNED_IN_CHANNEL } from "./channel.ts";
import { SignInPage } from "./view.tsx";
import "@holdpoint/react/style.css";
import "../page.css";
import "./sign-in.css";

const root = document.getElementById("root");
const state = document.getElementById("state")?.textContent;
if (root !== null && state !== undefined && state !== null) {
  const view = JSON.parse(state) as SignInView;
  hydrateRoot(root, <SignInPage {...view} />);
  if (view.kind === "done") new BroadcastChannel(SIGNED_IN_CHANNEL).postMessage("signed in");
}
