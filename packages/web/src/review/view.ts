/** A review as the server hands it over, to the page it draws and to the page that asks again. */

import type { HoldOut } from "@holdpoint/protocol";
import type { JsonObject, Problem } from "@holdpoint/protocol/rules";
import type { EarlierRound } from "@holdpoint/react";

export interface ReviewView {
  readonly hold: HoldOut;
  readonly answerPath: string;
  readonly dismissPath: string;
  readonly statePath?: string;
  readonly draftPath?: string;
  readonly uploadPath?: string;
  readonly fileQuery?: string;
  readonly prefillPaths?: Readonly<Record<string, string>>;
  readonly step?: number;
  readonly earlier?: readonly EarlierRound[];
  readonly now: number;
  readonly problems: readonly Problem[];
  readonly values: JsonObject;
  readonly justAnswered: boolean;
  readonly notice?: string;
}
