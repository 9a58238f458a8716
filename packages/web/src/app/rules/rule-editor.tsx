/** Changes the rules: explained while one types, tried on one call and on recorded calls, and only then published. */

import type { ReplayOut, RulesIn, RulesOut } from "@holdpoint/protocol";
import { checkRules, explainRule, NOTHING, type RuleSet, reviewRules, sum } from "@holdpoint/protocol/gating";
import { browserJudge } from "@holdpoint/react/headless";
import { type ReactNode, useMemo, useState } from "react";
import { wordsOf } from "../api.ts";
import { useApi } from "../hooks.ts";
import { Sure } from "../parts.tsx";
import { TryCall } from "./try-call.tsx";

const WORDS = {
  changeRules: "Change the rules",
  rulesAsJson: "Rules, as JSON",
  whyHistory: "Why, for the history",
  publish: "Publish",
  publishedMeanwhile: (now: number, before: number) =>
    `Somebody has published version ${now} meanwhile. You are changing version ${before}, which cannot be published any more. Copy what you wrote, leave without publishing and change the new version.`,
  theyCountFrom: "They count from the next call on. Approvals that nobody has used yet are checked again.",
  leaveWithoutPublishing: "Leave without publishing",
  tryThemRecorded: "Try them on recorded calls",
  replaying: "Replaying … ",
  recordedCalls: (checks: string | number) => `${checks} recorded calls:`,
  wouldAskedAbout: "would be asked about now,",
  wouldDeniedNow: "would be denied now,",
  wouldRunNow: (
    approved: string | number,
    approvedThenAllowed: string | number,
    approvedThenDenied: string | number,
    rejected: string | number,
    rejectedThenAllowed: string | number,
  ) =>
    `would run now. Of ${approved} that people approved ${approvedThenAllowed} would run and ${approvedThenDenied} would be denied; of ${rejected} that people rejected ${rejectedThenAllowed} would run.`,
  notJson: (message: string | number) => `This is not JSON: ${message}`,
  rulesMustList: "The rules must be a list under `rules`.",
  everyRuleNeeds: "Every rule needs `tools` and `verdict`.",
};

interface Props {
  readonly current: RulesOut;
  readonly onClose: () => void;
  readonly onPublished: () => void;
}

export function RuleEditor({ current, onClose, onPublished }: Props): ReactNode {
  const api = useApi();
  const { rules, default: byDefault, mode } = current;
  // What is typed changes this version, whatever is published meanwhile.
  const [version] = useState(current.version);
  const [text, setText] = useState(() => JSON.stringify({ rules, default: byDefault, mode }, null, 2));
  const [note, setNote] = useState("");
  const read = useMemo(() => readRules(text), [text]);
  const publish = async () => {
    if (typeof read === "string") throw new Error(read);
    const body = { ...read, ...(note === "" ? {} : { note }) };
    await api.send("PUT", "/v1/rules", body, undefined, { "if-match": `"${version}"` });
  };
  return (
    <section className="app-panel">
      <h2>{WORDS.changeRules}</h2>
      {current.version === version ? null : (
        <p className="hp-notice" role="alert">
          {WORDS.publishedMeanwhile(current.version, version)}
        </p>
      )}
      <label className="app-field">
        {WORDS.rulesAsJson}
        <textarea
          rows={16}
          spellCheck={false}
          value={text}
          aria-invalid={typeof read === "string"}
          aria-describedby="rules-explained"
          onChange={({ target }) => setText(target.value)}
        />
      </label>
      <div id="rules-explained" role="status">
        {typeof read === "string" ? <p className="hp-notice hp-bad">{read}</p> : <Explained set={read} />}
      </div>
      {typeof read === "string" ? null : (
        <>
          <TryCall set={read} />
          <ReplayCalls key={text} set={read} />
          <label className="app-field">
            {WORDS.whyHistory}
            <input value={note} maxLength={500} onChange={({ target }) => setNote(target.value)} />
          </label>
        </>
      )}
      <div className="app-tools">
        {typeof read === "string" ? null : (
          <Sure label={WORDS.publish} question={WORDS.theyCountFrom} act={publish} onDone={onPublished} />
        )}
        <button type="button" className="app-button" onClick={onClose}>
          {WORDS.leaveWithoutPublishing}
        </button>
      </div>
    </section>
  );
}

/** The set, or what is wrong with the text. */
function readRules(text: string): (RuleSet & RulesIn) | string {
  let content: Partial<RulesIn>;
  try {
    content = JSON.parse(text) as Partial<RulesIn>;
  } catch (fault) {
    return WORDS.notJson((fault as Error).message);
  }
  if (!Array.isArray(content?.rules)) return WORDS.rulesMustList;
  const set = { default: "ask", mode: "enforce", ...content, rules: content.rules } as RuleSet & RulesIn;
  try {
    const [problem] = checkRules(set, browserJudge());
    return problem === undefined ? set : `${problem.key}: ${problem.message}`;
  } catch {
    return WORDS.everyRuleNeeds;
  }
}

function Explained({ set }: { readonly set: RuleSet }): ReactNode {
  return (
    <>
      <ol className="app-rules">
        {set.rules.map((rule, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a rule is its place in the list.
          <li key={at}>{explainRule(rule)}</li>
        ))}
      </ol>
      {reviewRules(set).map(({ rule, because_of: earlier, message }) => (
        <p key={`${rule} ${earlier}`} className="hp-notice">
          {message}
        </p>
      ))}
    </>
  );
}

type Replayed = ReturnType<typeof sum> & { readonly erased: number };

function ReplayCalls({ set }: { readonly set: RulesIn }): ReactNode {
  const api = useApi();
  const [replay, setReplay] = useState<Replayed>();
  const [state, setState] = useState<"idle" | "running" | string>("idle");
  async function run(): Promise<void> {
    setState("running");
    let total: Replayed = { ...NOTHING, erased: 0 };
    let cursor: string | undefined;
    do {
      const body = { ...set, limit: 1_000, ...(cursor === undefined ? {} : { cursor }) };
      const page: ReplayOut = await api.send<ReplayOut>("POST", "/v1/rules/replay", body);
      total = { ...sum([total, page]), erased: total.erased + page.erased };
      cursor = page.next_cursor;
      setReplay(total);
    } while (cursor !== undefined);
    setState("idle");
  }
  return (
    <div className="app-replay">
      <button
        type="button"
        className="app-button"
        disabled={state === "running"}
        onClick={() => void run().catch((fault: unknown) => setState(wordsOf(fault)))}
      >
        {WORDS.tryThemRecorded}
      </button>
      {state === "idle" || state === "running" ? null : <p className="hp-notice hp-bad">{state}</p>}
      {replay === undefined ? null : (
        <p role="status">
          {state === "running" ? WORDS.replaying : ""}
          {WORDS.recordedCalls(replay.checks)} {replay.moves.allow_ask + replay.moves.deny_ask}{" "}
          {WORDS.wouldAskedAbout} {replay.moves.allow_deny + replay.moves.ask_deny} {WORDS.wouldDeniedNow}{" "}
          {replay.moves.ask_allow + replay.moves.deny_allow}{" "}
          {WORDS.wouldRunNow(
            replay.approved,
            replay.approved_then_allowed,
            replay.approved_then_denied,
            replay.rejected,
            replay.rejected_then_allowed,
          )}
        </p>
      )}
    </div>
  );
}
