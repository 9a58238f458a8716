/** Messages that go to one host wait in one lane: a host that does not answer holds up its own lane and no other. */

/** The lane of a URL: its host, without case and without a trailing dot. */
export function laneOf(url: string): string {
  const host = URL.parse(url)?.hostname ?? "";
  return host
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/\.$/, "")
    .toLowerCase();
}

/** The lane of a message to people: one for each channel. */
export function laneOfChannel(name: string): string {
  return `channel:${name}`;
}
