/**
 * The native API as data. The server mounts these, OpenAPI is printed from them, and a test compares the two, so that the
 * documentation cannot promise what is not served.
 */

import type { Code } from "./error-codes.ts";
import type { Operation } from "./operation.ts";
import { makeBrowserToken, revokeBrowserToken } from "./operations/browser-tokens.ts";
import { listChannels, putChannel, removeChannel, testChannel } from "./operations/channels.ts";
import { claimHold, finishClaim, releaseClaim, revokeHold } from "./operations/claims.ts";
import {
  assignHold,
  commentHold,
  countHolds,
  extendHold,
  lookAtHold,
  snoozeHold,
} from "./operations/desk.ts";
import { holdEvents, streamEvents } from "./operations/events.ts";
import { readFile, uploadFile } from "./operations/files.ts";
import {
  checkCall,
  coverage,
  getRules,
  listChecks,
  listGrants,
  publishRules,
  recordStandingCalls,
  replayRules,
  revokeGrant,
  rulesHistory,
  suggestGrants,
  tryRules,
} from "./operations/gating.ts";
import { answerGroup, getGroup, placeGroup } from "./operations/groups.ts";
import {
  answerHold,
  cancelHold,
  challengeAnswer,
  eraseHold,
  getHold,
  listHolds,
  placeHold,
  withdrawVote,
} from "./operations/holds.ts";
import { listKeys, makeKey, makeSignIn, revokeKey, rotateKeySecret } from "./operations/keys.ts";
import { listLinks, makeLink, revokeLink } from "./operations/links.ts";
import { readLog, verifyLog } from "./operations/log.ts";
import { listRotas, putRota, removeRota } from "./operations/oncall.ts";
import { activity, overview } from "./operations/overview.ts";
import { addPasskey, listPasskeys, removePasskey, startPasskey } from "./operations/passkeys.ts";
import {
  addPerson,
  addTeam,
  changePerson,
  changeTeam,
  erasePerson,
  linkAccount,
  listPeople,
  listTeams,
  makeAccountCode,
  removeTeam,
  unlinkAccount,
} from "./operations/people.ts";
import { addPushDevice, listPushDevices, removePushDevice } from "./operations/push.ts";
import { decideRelease, getRelease, listReleases } from "./operations/releases.ts";
import { health, metrics, openApi, ready, whoAmI } from "./operations/server.ts";
import { endSession, endSessions, invitePerson, listSessions } from "./operations/sessions.ts";
import { changeSettings, getSettings } from "./operations/settings.ts";
import { listSkips, recordSkip } from "./operations/skips.ts";
import { forgetThread, getThread, keepThread } from "./operations/threads.ts";
import {
  deleteWebhook,
  listDeliveries,
  listWebhooks,
  makeWebhook,
  replayDelivery,
} from "./operations/webhooks.ts";

/** By operation id, in the order of the reference. */
export const operations = {
  placeHold,
  listHolds,
  getHold,
  answerHold,
  challengeAnswer,
  withdrawVote,
  cancelHold,
  eraseHold,
  assignHold,
  commentHold,
  extendHold,
  snoozeHold,
  lookAtHold,
  countHolds,
  overview,
  activity,
  holdEvents,
  streamEvents,
  readLog,
  verifyLog,
  makeLink,
  listLinks,
  revokeLink,
  claimHold,
  finishClaim,
  releaseClaim,
  revokeHold,
  placeGroup,
  getGroup,
  answerGroup,
  uploadFile,
  readFile,
  listReleases,
  getRelease,
  decideRelease,
  recordSkip,
  listSkips,
  checkCall,
  listChecks,
  getRules,
  publishRules,
  recordStandingCalls,
  rulesHistory,
  tryRules,
  replayRules,
  coverage,
  listGrants,
  suggestGrants,
  revokeGrant,
  keepThread,
  getThread,
  forgetThread,
  makeKey,
  listKeys,
  revokeKey,
  rotateKeySecret,
  makeSignIn,
  makeBrowserToken,
  revokeBrowserToken,
  listPeople,
  addPerson,
  changePerson,
  invitePerson,
  linkAccount,
  unlinkAccount,
  makeAccountCode,
  erasePerson,
  listTeams,
  addTeam,
  changeTeam,
  removeTeam,
  listSessions,
  endSession,
  endSessions,
  startPasskey,
  addPasskey,
  listPasskeys,
  removePasskey,
  listPushDevices,
  addPushDevice,
  removePushDevice,
  makeWebhook,
  listWebhooks,
  deleteWebhook,
  listChannels,
  putChannel,
  removeChannel,
  testChannel,
  listRotas,
  putRota,
  removeRota,
  getSettings,
  changeSettings,
  listDeliveries,
  replayDelivery,
  whoAmI,
  health,
  ready,
  metrics,
  openApi,
} as const;

export const nativeOperations: readonly Operation<Code>[] = Object.values(operations);
