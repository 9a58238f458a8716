/** Which address means what. Aliases that the protocol's documents use lead to the same place. */

export type Operation = "status" | "events" | "respond" | "submit" | "cancel" | "progress" | "session";

export type Route =
  | { readonly kind: "case"; readonly operation: Operation; readonly caseId: string }
  | { readonly kind: "page"; readonly path: string }
  | { readonly kind: "discovery" }
  | { readonly kind: "skill" };

const CASE =
  /^(?:\/v1|\/api)?\/reviews\/([A-Za-z0-9_-]+)\/(status|events|respond|submit|cancel|progress|session)$/;
const PAGE_RESPOND = /^\/review\/([A-Za-z0-9_-]+)\/respond$/;
const PAGE = /^\/review\/[A-Za-z0-9_-]+(?:\/[A-Za-z0-9_-]+)*$/;
const DISCOVERY = "/.well-known/hitl.json";

export const METHODS: Readonly<Record<Operation, readonly string[]>> = {
  status: ["GET", "HEAD"],
  events: ["GET"],
  respond: ["POST"],
  submit: ["POST"],
  cancel: ["POST"],
  progress: ["POST"],
  session: ["GET", "PUT"],
};

/** The route of a path, with the path under which the service is mounted taken off. */
export function routeOf(pathname: string, basePath: string): Route | undefined {
  // The well-known address belongs to the whole origin.
  if (pathname === DISCOVERY) return { kind: "discovery" };
  if (!pathname.startsWith(`${basePath}/`)) return undefined;
  const path = pathname.slice(basePath.length);
  if (path === DISCOVERY) return { kind: "discovery" };
  if (path === "/SKILL.md") return { kind: "skill" };
  const found = CASE.exec(path);
  if (found !== null) return { kind: "case", caseId: found[1]!, operation: found[2] as Operation };
  const respond = PAGE_RESPOND.exec(path);
  if (respond !== null) return { kind: "case", caseId: respond[1]!, operation: "respond" };
  return PAGE.test(path) ? { kind: "page", path } : undefined;
}
