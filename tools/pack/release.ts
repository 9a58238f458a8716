/** What a release checks and in which order it publishes. Pure: it starts nothing. */

import type { Manifest } from "./stage.ts";

type Released = Pick<Manifest, "name" | "version" | "dependencies">;

export interface State {
  readonly packages: readonly Released[];
  readonly changelog: string;
  /** What `git status --porcelain` prints. */
  readonly changedFiles: string;
}

export function whyNotNow({ packages, changelog, changedFiles }: State): readonly string[] {
  const [version = ""] = packages.map((each) => each.version);
  const others = packages.filter((each) => each.version !== version);
  return [
    ...others.map(
      (each) => `${each.name} has version ${each.version}, not ${version}. Give all packages one version.`,
    ),
    ...(changelog.includes(`\n## ${version}\n`)
      ? []
      : [`CHANGELOG.md has no section "## ${version}". Add one.`]),
    ...(changedFiles.trim() === ""
      ? []
      : ["The clone has changes that are not committed. Commit them first."]),
  ];
}

/** A package comes after everything of ours that it depends on, so that nobody can install one that is incomplete. */
export function inPublishOrder<Package extends Released>(packages: readonly Package[]): readonly Package[] {
  const done: Package[] = [];
  for (let left = packages; left.length > 0; left = left.filter((each) => !done.includes(each))) {
    const waits = (each: Package) => left.some(({ name }) => Object.hasOwn(each.dependencies ?? {}, name));
    const ready = left.filter((each) => !waits(each));
    if (ready.length === 0)
      throw new Error(`${left.map(({ name }) => name).join(", ")} depend on each other`);
    done.push(...ready);
  }
  return done;
}

/** As `npm pack` names it. */
export function tarballName({ name, version }: Released): string {
  return `${name.replace("@", "").replace("/", "-")}-${version}.tgz`;
}
