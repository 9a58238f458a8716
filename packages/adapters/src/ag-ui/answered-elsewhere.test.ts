import { kit } from "../testing/agui-kit.ts";
import { proxyKit } from "../testing/proxy-kit.ts";
import { answeredElsewhere } from "./answered-elsewhere.suite.ts";

answeredElsewhere("of a handler", kit);
answeredElsewhere("before a proxy", proxyKit);
