/** What an entry that has become a package of its own says to whoever still imports it. */

export function moved(entry: string, now: string): Readonly<Record<string, never>> {
  const name = now.split("/").slice(0, 2).join("/");
  throw new Error(
    `${entry} is a package of its own now: run \`npm install ${name}\` and import from "${now}".`,
  );
}
