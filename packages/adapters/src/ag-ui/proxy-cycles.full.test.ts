import { proxyKit } from "../testing/proxy-kit.ts";
import { rapidCycles } from "./cycles.suite.ts";

rapidCycles("before a proxy", proxyKit);
