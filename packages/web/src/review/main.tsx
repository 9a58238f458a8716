/** The review page in the browser: takes over what the server drew. */

import type { ReviewView } from "@holdpoint/protocol";
import { loadParts } from "@holdpoint/react";
import { hydrateRoot } from "react-dom/client";
import { ReviewPage } from "./page.tsx";
import "@holdpoint/react/style.css";
import "../page.css";

const root = document.getElementById("root");
const state = document.getElementById("state")?.textContent;
if (root !== null && state !== undefined && state !== null) {
  await loadParts(root.dataset["parts"]?.split(" ") ?? []);
  hydrateRoot(root, <ReviewPage view={JSON.parse(state) as ReviewView} />);
}
