import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { APPROVAL, create, ESCALATION, openCase } from "../../testing/hitl-cases.ts";
import { type TestServer, testServer } from "../../testing/test-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server[Symbol.asyncDispose]());

describe("rounds", () => {
  test("HP-169 a follow-up case has the id of the previous one, whose poll then has the id of the next", async () => {
    const first = await openCase(server);
    await first.respond({ action: "edit", data: { feedback: "Shorter" } });
    const second = await openCase(server, { ...APPROVAL, previous_case_id: first.id });
    expect(second.hitl.previous_case_id).toBe(first.id);
    expect((await first.poll()).body.next_case_id).toBe(second.id);
    expect((await first.respond({ action: "approve" })).status).toBe(409);
  });

  test("HP-170 each round is a case of its own, and the old link shows the old answer", async () => {
    const first = await openCase(server);
    await first.respond({ action: "edit", data: { feedback: "Shorter" } });
    const second = await openCase(server, {
      ...APPROVAL,
      prompt: "Now shorter?",
      previous_case_id: first.id,
    });
    expect(second.token).not.toBe(first.token);
    expect((await second.respond({ action: "approve" }, first.token)).status).toBe(401);
    expect((await first.open()).body).toContain("Shorter");
    expect((await second.open()).body).toContain("Now shorter?");
    expect((await second.poll()).body.status).toBe("opened");
  });

  test("HP-171 a chain ends when somebody approves or rejects", async () => {
    const first = await openCase(server);
    await first.respond({ action: "edit" });
    const second = await openCase(server, { ...APPROVAL, previous_case_id: first.id });
    await second.respond({ action: "approve" });
    const { body } = await second.poll();
    expect(body).toMatchObject({ status: "completed", result: { action: "approve" } });
    expect(body).not.toHaveProperty("next_case_id");
  });

  test("HP-171 the page of a later round shows its number and the answers of the earlier ones", async () => {
    const first = await openCase(server);
    expect((await first.open()).body).not.toContain("Earlier rounds");
    await first.respond({ action: "edit", data: { feedback: "Shorter, <b>please</b>" } });
    const second = await openCase(server, { ...APPROVAL, previous_case_id: first.id });
    await second.cancel({ reason: "not yet" });
    const third = await openCase(server, { ...APPROVAL, previous_case_id: second.id });
    const page = (await third.open()).body;
    expect(page).toContain("Round 3");
    expect(page).toContain("Shorter, &lt;b&gt;please&lt;/b&gt;");
    expect(page).toContain("cancelled");
  });

  test("G9: the page of a later round does not show sensitive values of the earlier ones", async () => {
    const fields = [
      { key: "note", label: "PIN", type: "text", sensitive: true },
      { key: "reason", label: "Reason", type: "text" },
    ];
    const asked = { type: "input", prompt: "PIN?", context: { form: { fields } } };
    const first = await openCase(server, asked);
    const answered = await first.respond({
      action: "submit",
      data: { note: "PIN-4711", reason: "for the till" },
    });
    expect(answered.status).toBe(200);
    const second = await openCase(server, { ...APPROVAL, previous_case_id: first.id });
    const page = (await second.open()).body;
    expect(page).toContain("for the till");
    expect(page).not.toContain("PIN-4711");
  });

  test("HP-172 a follow-up case may have another type, and following an unknown case or another agent's case is refused", async () => {
    const first = await openCase(server);
    const escalation = await openCase(server, { ...ESCALATION, previous_case_id: first.id });
    expect(escalation.hitl.previous_case_id).toBe(first.id);
    const foreign = await openCase(server, APPROVAL, { key: server.keys.otherAgent });
    for (const previous_case_id of ["review_unknown", foreign.id])
      expect(await create(server, { ...APPROVAL, previous_case_id })).toMatchObject({
        status: 400,
        body: { error: "invalid_request", fields: [{ key: "/previous_case_id" }] },
      });
  });

  test("HP-173 a follow-up case needs no flag", async () => {
    const first = await openCase(server);
    expect((await create(server, { ...APPROVAL, previous_case_id: first.id })).status).toBe(202);
  });
});
