/** Where to go after signing in: a page of this server, whatever a link says. */

const HOME = "/console";
const LENGTH_MAX = 1_000;
/** Only for reading the path; the host is never used. */
const BASE = "http://holdpoint.invalid";
const PAGES = /^\/(console|playground|gallery|signin\/done)(\/|$)/;

export function returnPath(text: string | null | undefined): string {
  if (text == null || text.length > LENGTH_MAX || !URL.canParse(text, BASE)) return HOME;
  const { origin, pathname, search } = new URL(text, BASE);
  return origin === BASE && PAGES.test(pathname) ? pathname + search : HOME;
}
