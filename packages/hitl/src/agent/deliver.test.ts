import { describe, expect, test } from "vitest";
import { HITL, inlineReview, reviewWith } from "../testing/reviews.ts";
import { caseBook } from "./case-book.ts";
import { byBrowser, byButtons, byMessage, byTerminal, openCommand } from "./deliver.ts";

const URL = HITL["review_url"] as string;

describe("delivery", () => {
  test("HP-214 byMessage sends the prompt and the link, also as a reminder", async () => {
    const sent: string[] = [];
    const deliver = byMessage(({ text }) => sent.push(text));
    await deliver(reviewWith(), "first");
    await deliver(reviewWith(), "reminder");
    expect(sent[0]).toContain("Send three letters?");
    expect(sent[0]).toContain(URL);
    expect(sent[1]).toMatch(/^Reminder/);
    expect(sent[1]).toContain(URL);
  });

  test("HP-214 byButtons enters the case in the book, and sends the rendered buttons", async () => {
    const book = caseBook();
    const sent: string[] = [];
    await byButtons({
      book,
      render: (listed, occasion) => `${occasion} ${listed.shortId} ${listed.review.reviewUrl}`,
      send: (payload) => sent.push(payload),
    })(inlineReview(), "first");
    const listed = await book.find("review_ab12");
    expect(sent).toEqual([`first ${listed?.shortId} ${URL}`]);
  });

  test("HP-214 byBrowser opens the link in this machine's browser, and prints the question in the terminal", async () => {
    const opened: string[] = [];
    const printed: string[] = [];
    await byBrowser({ print: (text) => printed.push(text), open: (url) => opened.push(url) })(
      reviewWith(),
      "first",
    );
    expect(opened).toEqual([URL]);
    expect(printed.join()).toContain("Send three letters?");
    expect(printed.join()).not.toContain(URL);
  });

  test("HP-214 byBrowser prints the link when no browser can be opened", async () => {
    const printed: string[] = [];
    const open = () => {
      throw new Error("no display");
    };
    await byBrowser({ print: (text) => printed.push(text), open })(reviewWith(), "first");
    expect(printed.join()).toContain(URL);
  });

  test("byBrowser refuses to open a stored review whose link is unsafe", async () => {
    const opened: string[] = [];
    const review = { ...reviewWith(), reviewUrl: "file:///etc/passwd" };
    const deliver = byBrowser({ print: () => undefined, open: (url) => opened.push(url) });
    await expect(deliver(review, "first")).rejects.toThrow("is not opened");
    expect(opened).toEqual([]);
  });

  test("HP-214 the command that opens a page differs by system, and none uses a shell", () => {
    expect(openCommand("darwin", URL)).toEqual(["open", URL]);
    expect(openCommand("win32", `${URL}&calc`)).toEqual([
      "rundll32",
      "url.dll,FileProtocolHandler",
      `${URL}&calc`,
    ]);
    expect(openCommand("linux", URL)).toEqual(["xdg-open", URL]);
  });

  test("HP-214 byTerminal prints the link and a QR code", async () => {
    const printed: string[] = [];
    await byTerminal({ print: (text) => printed.push(text) })(reviewWith(), "first");
    expect(printed[0]).toContain(URL);
    const rows = printed[1]?.split("\n") ?? [];
    expect(rows.length).toBeGreaterThan(15);
    expect(new Set(rows.map((row) => [...row].length)).size).toBe(1);
    expect(printed[1]).toMatch(/^[█▀▄ \n]+$/);
  });

  test("HP-214 byTerminal can use another QR code renderer, or none", async () => {
    const printed: string[] = [];
    const print = (text: string) => printed.push(text);
    await byTerminal({ print, qr: (url) => `QR of ${url}` })(reviewWith(), "first");
    expect(printed[1]).toBe(`QR of ${URL}`);
    await byTerminal({ print, qr: false })(reviewWith(), "first");
    expect(printed).toHaveLength(3);
  });
});
