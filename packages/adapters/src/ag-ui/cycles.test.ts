import { kit } from "../testing/agui-kit.ts";
import { rapidCycles } from "./cycles.suite.ts";

rapidCycles("of a handler", kit);
