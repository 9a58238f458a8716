/**
 * Matches voters to seats. A voter fills one seat in the whole rule, in their own name or in that of an absent person; each
 * person is represented once. It is a flow of whole numbers: voter → person represented → stage, found by augmenting paths.
 * Every vote and every change of people counts again, so nodes and edges are numbers in lists.
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

export function matchSeats(voters: readonly Candidate[], needs: readonly number[]): Matching {
  const { network, starts, ends } = build(voters, needs);
  fill(
    starts.map(({ node }) => node),
    network,
  );
  return {
    given: ends.map((edge) => network.left[edge + 1] as number),
    standsFor: new Map(
      starts.flatMap(({ person, seats }) => {
        const seat = seats.find(({ edge }) => network.left[edge] === 0);
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

/** Edges come in pairs: an even one, and after it the one back, whose capacity is the flow of the first. */
interface Network {
  /** The edges that leave each node. */
  readonly leaving: number[][];
  /** The node that each edge leads to. */
  readonly to: number[];
  /** How much more each edge can take. */
  readonly left: number[];
}

/** The node that every path is to reach. */
const END = 0;

interface Start {
  readonly person: string;
  readonly node: number;
  readonly seats: readonly { readonly person: string; readonly edge: number }[];
}

function build(voters: readonly Candidate[], needs: readonly number[]) {
  const network: Network = { leaving: [[]], to: [], left: [] };
  const stages = needs.map(() => addNode(network));
  const seated = new Map<string, number>();
  const starts = voters.map(({ person, seats }): Start => {
    const node = addNode(network);
    const entered = seats.map((seat) => {
      const before = seated.get(seat.person);
      const at = before ?? addNode(network);
      const edge = connect(network, node, at, 1);
      if (before === undefined) {
        seated.set(seat.person, at);
        represent(seat, at, stages, network);
      }
      return { person: seat.person, edge };
    });
    return { person, node, seats: entered };
  });
  const ends = needs.map((need, stage) => connect(network, stages[stage] as number, END, need));
  return { network, starts, ends };
}

/** A node between the seat and its stages, so that only one voter represents the person. */
function represent(seat: Seat, at: number, stages: readonly number[], network: Network): void {
  const represented = addNode(network);
  connect(network, at, represented, 1);
  for (const stage of seat.stages)
    if (stage < stages.length) connect(network, represented, stages[stage] as number, 1);
}

function addNode({ leaving }: Network): number {
  return leaving.push([]) - 1;
}

/** Returns the edge; the one after it leads back. */
function connect({ leaving, to, left }: Network, from: number, target: number, capacity: number): number {
  const edge = to.push(target) - 1;
  left.push(capacity);
  to.push(from);
  left.push(0);
  (leaving[from] as number[]).push(edge);
  (leaving[target] as number[]).push(edge + 1);
  return edge;
}

/**
 * Looks for a path from each start. The nodes of a search that failed stay seen: no path leads from them to the end, and no
 * later path changes that. So all failing searches together look at each edge once, however many voters have no seat.
 */
function fill(starts: readonly number[], network: Network): void {
  const seen = new Uint8Array(network.leaving.length);
  for (const start of starts) {
    const visited: number[] = [];
    if (!augment(start, network, seen, visited)) continue;
    for (const node of visited) seen[node] = 0;
  }
}

/** Depth-first; the depth is bounded by the number of people and stages of one rule. */
function augment(node: number, network: Network, seen: Uint8Array, visited: number[]): boolean {
  if (node === END) return true;
  seen[node] = 1;
  visited.push(node);
  const { leaving, to, left } = network;
  for (const edge of leaving[node] as number[]) {
    const next = to[edge] as number;
    if (left[edge] === 0 || seen[next] === 1 || !augment(next, network, seen, visited)) continue;
    left[edge] = (left[edge] as number) - 1;
    // The other edge of the pair.
    const back = edge ^ 1;
    left[back] = (left[back] as number) + 1;
    return true;
  }
  return false;
}
