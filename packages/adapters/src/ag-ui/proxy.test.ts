/** An agent that need not change: behind a server's proxy its clients find everything as before. */

import { proxyKit } from "../testing/proxy-kit.ts";
import { recipes } from "./recipes.suite.ts";

recipes("before a proxy", proxyKit);
