/** The server's own rules for answers, apart from the rest, so that a page can show itself before it has them. */

export { checkAnswer } from "@holdpoint/protocol/rules";
