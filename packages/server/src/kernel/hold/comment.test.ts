import { describe, expect, test } from "vitest";
import {
  AGENT,
  APP,
  AUDITOR,
  decidedHold,
  link,
  NOW,
  OPERATOR,
  OTHER_AGENT,
  openHold,
  reviewer,
} from "../../testing/core-samples.ts";
import { given } from "../../testing/given.ts";
import { asLogged } from "../../testing/tables.ts";
import { COMMENTS_MAX, visibleComments } from "./comment.ts";
import type { Comment } from "./hold.ts";

const comment = { kind: "comment_hold", holdId: "h1", commentId: "c1", text: "Which invoice?" } as const;
const ASKED_BACK = { ...comment, asksBack: true } as const;

describe("a comment", () => {
  test("is kept on the hold; the log has a digest of it and not its words", () => {
    const after = given(openHold()).when(comment).then("hold.commented");
    expect(after.hold().comments).toEqual([
      { id: "c1", at: NOW, by: { kind: "key", id: OPERATOR.id, name: "ada" }, text: "Which invoice?" },
    ]);
    const [event] = after.facts.map((fact) => asLogged(fact, "default"));
    expect(event).toMatchObject({ type: "hold.commented", content: { text: "Which invoice?" } });
    expect(JSON.stringify(event?.data)).not.toContain("invoice");
    after.when(comment).then();
    after.when({ ...comment, commentId: "c2" }).then("hold.commented");
    expect(after.hold().status).toBe("open");
  });

  test("a question back is marked, and the asker replies but cannot ask itself", () => {
    const asked = given(openHold()).when(ASKED_BACK).then("hold.commented");
    expect(asked.hold().comments).toMatchObject([{ asksBack: true }]);
    expect(asked.facts.map((fact) => asLogged(fact, "default")?.data)).toMatchObject([{ asks_back: true }]);
    const reply = { ...comment, commentId: "c2", text: "Number 7." };
    const replied = asked.when(reply, { by: AGENT }).then("hold.commented");
    expect(replied.hold().comments?.[1]).toMatchObject({ isByAsker: true, text: "Number 7." });
    asked.when({ ...ASKED_BACK, commentId: "c3" }, { by: AGENT }).refused("not_allowed");
  });

  test("the holder of a review link comments; auditors, other agents and revoked links do not", () => {
    const made = link();
    const byLink = { ...comment, linkHash: made.body.hash };
    given(openHold(), made)
      .when(byLink, { by: reviewer(made.body) })
      .then("hold.commented");
    const revoked = link({ revokedAt: 1 });
    given(openHold(), revoked)
      .when(byLink, { by: reviewer(revoked.body) })
      .refused("not_allowed");
    given(openHold()).when(comment, { by: AUDITOR }).refused("not_allowed");
    given(openHold()).when(comment, { by: OTHER_AGENT }).refused("not_found");
    given(openHold({ createdBy: APP.name, askedByApp: true }))
      .when(comment, { by: APP })
      .then("hold.commented");
  });

  test("only open holds are commented, and up to a bound", () => {
    given(decidedHold()).when(comment).refused("already_settled");
    given(openHold({ expiresAt: NOW }))
      .when(comment)
      .refused("hold_expired", "hold.expired");
    const many: readonly Comment[] = Array.from({ length: COMMENTS_MAX }, (_, n) => ({
      ...{ id: `many${n}`, at: 1, by: { kind: "key", id: "k" } as const, text: "x" },
    }));
    given(openHold({ comments: many }))
      .when(comment)
      .refused("too_many_comments");
  });

  test("people see every comment; the asker sees what was asked back and its own", () => {
    const by = { kind: "key", id: "k" } as const;
    const comments: readonly Comment[] = [
      { id: "c1", at: 1, by, text: "between us" },
      { id: "c2", at: 2, by, text: "for you", asksBack: true },
      { id: "c3", at: 3, by, text: "from me", isByAsker: true },
    ];
    const seen = (viewer: typeof AGENT) =>
      visibleComments(openHold({ comments }), viewer).map(({ id }) => id);
    expect(seen(OPERATOR)).toEqual(["c1", "c2", "c3"]);
    expect(seen(AGENT)).toEqual(["c2", "c3"]);
    expect(visibleComments(openHold(), AGENT)).toEqual([]);
  });
});
