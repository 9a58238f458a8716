/** Everything the protocol needs beside your own routes: Next.js tries those first. */

import { nextHitl } from "@holdpoint/hitl/service";
import { hitl } from "../../hitl.ts";

export const { GET, HEAD, POST, PUT } = nextHitl(hitl);
