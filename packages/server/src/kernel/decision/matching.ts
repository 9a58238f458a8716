/**
 * Matches voters to seats. A voter fills one seat in the whole rule, in their own name or in that of an absent person; each
 * person is represented once. It is a flow of whole numbers: voter → person represented → stage, found by augmenting paths.
 */

import type { Seat } from "./decision.ts";

export interface Candidate {
  readonly person: string;
  readonly seats: readonly Seat[];
}

export interface Matching {
  /** How many seats of each stage are filled. */
  readonly given: readonly number[];
  /** Whom each voter stands for, by voter; a voter without a seat is absent. */
  readonly standsFor: ReadonlyMap<string, string>;
}

interface Edge {
  readonly to: string;
  left: number;
  readonly back: Edge;
}

const END = "end";

export function matchSeats(voters: readonly Candidate[], needs: readonly number[]): Matching {
  const edges = network(voters, needs);
  for (const { person } of voters) augment(`voter ${person}`, edges, new Set());
  return {
    given: needs.map((_need, stage) => leftOf(edges, END, `stage ${stage}`)),
    standsFor: new Map(
      voters.flatMap(({ person, seats }) => {
        const seat = seats.find((one) => leftOf(edges, `voter ${person}`, `seat ${one.person}`) === 0);
        return seat === undefined ? [] : [[person, seat.person] as const];
      }),
    ),
  };
}

export function isFull({ given }: Matching, needs: readonly number[]): boolean {
  return needs.every((need, stage) => given[stage] === need);
}

export function total({ given }: Matching): number {
  return given.reduce((sum, count) => sum + count, 0);
}

type Network = Map<string, Edge[]>;

function network(voters: readonly Candidate[], needs: readonly number[]): Network {
  const edges: Network = new Map();
  const seated = new Set<string>();
  for (const { person, seats } of voters) {
    for (const seat of seats) {
      connect(edges, `voter ${person}`, `seat ${seat.person}`, 1);
      if (seated.has(seat.person)) continue;
      seated.add(seat.person);
      connect(edges, `seat ${seat.person}`, `person ${seat.person}`, 1);
      for (const stage of seat.stages)
        if (stage < needs.length) connect(edges, `person ${seat.person}`, `stage ${stage}`, 1);
    }
  }
  for (const [stage, need] of needs.entries()) connect(edges, `stage ${stage}`, END, need);
  return edges;
}

function connect(edges: Network, from: string, to: string, capacity: number): void {
  const forth = { to, left: capacity } as { to: string; left: number; back: Edge };
  const back: Edge = { to: from, left: 0, back: forth };
  forth.back = back;
  listOf(edges, from).push(forth);
  listOf(edges, to).push(back);
}

function listOf(edges: Network, node: string): Edge[] {
  const known = edges.get(node);
  if (known !== undefined) return known;
  const made: Edge[] = [];
  edges.set(node, made);
  return made;
}

/** Depth-first; the depth is bounded by the number of people and stages of one rule. */
function augment(node: string, edges: Network, seen: Set<string>): boolean {
  if (node === END) return true;
  seen.add(node);
  for (const edge of listOf(edges, node)) {
    if (edge.left === 0 || seen.has(edge.to) || !augment(edge.to, edges, seen)) continue;
    edge.left -= 1;
    edge.back.left += 1;
    return true;
  }
  return false;
}

/** What is left of an edge that exists. Of a backward edge it is the flow in the other direction. */
function leftOf(edges: Network, from: string, to: string): number {
  return (listOf(edges, from).find((edge) => edge.to === to) as Edge).left;
}
