/**
 * @module
 * AG-UI apps that stop for a person: a hook over any agent of `@ag-ui/client` (CopilotKit's are such), and components for
 * what is pending and what was answered.
 *
 * @example
 * ```tsx
 * import { type InterruptibleAgent, InterruptHistory, InterruptList, useInterrupts } from "@holdpoint/react/agui";
 *
 * function Desk({ agent }: { agent: InterruptibleAgent }) {
 *   const interrupts = useInterrupts(agent, { url: "/agent" });
 *   return (
 *     <>
 *       <InterruptList interrupts={interrupts} />
 *       <InterruptHistory past={interrupts.desk.history} />
 *     </>
 *   );
 * }
 * ```
 */
"use client";

export type { CardProps } from "./card-parts.tsx";
export { Choice, payloadOf, Shown, shownOf, Words } from "./card-parts.tsx";
export { STANDARD_CARDS } from "./cards.tsx";
export type { DeskControl, DeskOptions, DeskView, InterruptibleAgent } from "./desk-control.ts";
export { deskControl } from "./desk-control.ts";
export type { InterruptListProps } from "./interrupt-list.tsx";
export { InterruptHistory, InterruptList } from "./interrupt-list.tsx";
export type { Interrupts } from "./use-interrupts.ts";
export { useInterrupts } from "./use-interrupts.ts";
