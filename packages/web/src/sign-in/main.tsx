/** The sign-in page in the browser: takes over what the server drew. */

import type { SignInView } from "@holdpoint/protocol";
import { hydrateRoot } from "react-dom/client";
import { SignInPage } from "./view.tsx";
import "@holdpoint/react/style.css";
import "../page.css";

const root = document.getElementById("root");
const state = document.getElementById("state")?.textContent;
if (root !== null && state !== undefined && state !== null)
  hydrateRoot(root, <SignInPage {...(JSON.parse(state) as SignInView)} />);
