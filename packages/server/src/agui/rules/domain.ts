/** The AG-UI domain's table. A release delivers a group's answers to an agent behind the proxy. */

import type { GroupRules } from "../../kernel/attachment.ts";
import { type CommandTable, type Domain, type FactSpec, type FactTable, kind } from "../../kernel/domain.ts";
import type { ReleaseCommand } from "./release/commands.ts";
import {
  beginRelease,
  decideByHand,
  finishRelease,
  openRelease,
  openReleaseNeeds,
  placeReleasedGroup,
  placeReleasedGroupNeeds,
  releaseNeeds,
  renewRelease,
  stateReady,
  tickRelease,
} from "./release/decide.ts";
import { type Release, type ReleaseFact, releaseDueAt } from "./release/release.ts";
import type { AguiBodies, AguiFact, Draft } from "./world.ts";

export const AGUI_KINDS = {
  /** (group) → its release. */
  release: kind<Release>({
    indexes: { state: ({ state }) => state },
    timer: { dueAt: releaseDueAt, command: (groupId) => ({ kind: "tick_release", groupId }) },
  }),
};

const onRelease = { about: "release", needs: releaseNeeds } as const;

const commands = {
  open_release: { about: "release", needs: openReleaseNeeds, decide: openRelease },
  place_released_group: { about: "group", needs: placeReleasedGroupNeeds, decide: placeReleasedGroup },
  begin_release: { ...onRelease, decide: beginRelease },
  renew_release: { ...onRelease, decide: renewRelease },
  finish_release: { ...onRelease, decide: finishRelease },
  tick_release: { ...onRelease, decide: tickRelease },
  decide_release: { ...onRelease, decide: decideByHand },
} satisfies CommandTable<ReleaseCommand, AguiBodies, AguiFact>;

const logged: FactSpec<ReleaseFact, AguiBodies> = {
  evolve: (_world, id, { release }) => [{ kind: "release", id, body: release }],
  log({ release: { proxy, state, attempt, error } }) {
    return { proxy, state, attempt, ...(error === undefined ? {} : { error }) };
  },
};

/** Hand-outs and lease renewals between servers are not logged: they do not change the outcome. */
const unlogged: FactSpec<ReleaseFact, AguiBodies> = { ...logged, log: () => null };

const facts: FactTable<ReleaseFact, AguiBodies> = {
  "release.opened": logged,
  "release.ready": logged,
  "release.handed_out": unlogged,
  "release.sending": logged,
  "release.renewed": unlogged,
  "release.put_back": logged,
  "release.released": logged,
  "release.unknown": logged,
  "release.failed": logged,
  "release.retried": logged,
  "release.marked_released": logged,
  "release.stalled": logged,
};

/** When the last member of a group ends, the group's release becomes ready to send. */
const groups: GroupRules = {
  needs: (groupId) => [{ kind: "release", id: groupId }],
  released(group, draft: Draft, by, at) {
    const release = draft.get("release", group.id);
    if (release?.state === "waiting") stateReady(release, draft, at, by);
  },
};

export const AGUI = { kinds: AGUI_KINDS, commands, facts, groups } satisfies Domain;
