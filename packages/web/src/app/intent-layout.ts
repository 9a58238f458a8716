/** Where an intent and its neighbours stand: above it its parent and what it waits for, below its parts and who waits for it. */

export interface IntentNode {
  readonly id: string;
  readonly title: string;
  readonly status: string;
}

export interface Neighbourhood {
  readonly self: IntentNode;
  readonly parent: IntentNode | undefined;
  readonly dependencies: readonly IntentNode[];
  readonly dependents: readonly IntentNode[];
  readonly children: readonly IntentNode[];
}

export interface PlacedNode extends IntentNode {
  readonly x: number;
  readonly y: number;
  readonly isSelf: boolean;
}

export interface Edge {
  /** Lines from parents to children run on the left; lines from dependents to dependencies on the right. */
  readonly kind: "parent" | "dependency";
  readonly points: readonly (readonly [x: number, y: number])[];
}

export interface IntentPicture {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly Edge[];
}

export const NODE = { width: 164, height: 62 } as const;
const GAP = { x: 16, y: 16 } as const;
/** Lines run outside, where nobody stands. */
const MARGIN = 18;
const WIDTH = 2 * MARGIN + 2 * NODE.width + GAP.x;
/** Of each kind; the list beside the picture has all. */
export const DRAWN_MAX = 6;

export function layOut({ self, parent, dependencies, dependents, children }: Neighbourhood): IntentPicture {
  let y = 0;
  const rows = (left: readonly IntentNode[], right: readonly IntentNode[]) => {
    const top = y;
    const place = (list: readonly IntentNode[], x: number) =>
      list.slice(0, DRAWN_MAX).map((node, at) => standing(node, x, top + at * (NODE.height + GAP.y)));
    const placed = [place(left, MARGIN), place(right, WIDTH - MARGIN - NODE.width)] as const;
    y += Math.max(placed[0].length, placed[1].length) * (NODE.height + GAP.y);
    return placed;
  };
  const [above, before] = rows(parent === undefined ? [] : [parent], dependencies);
  const here = { ...standing(self, (WIDTH - NODE.width) / 2, y), isSelf: true };
  y += NODE.height + GAP.y;
  const [below, after] = rows(children, dependents);
  return {
    width: WIDTH,
    height: y - GAP.y,
    nodes: [...above, ...before, here, ...below, ...after],
    edges: [
      ...above.map((node) => leftEdge(node, here)),
      ...below.map((node) => leftEdge(here, node)),
      ...before.map((node) => rightEdge(node, here)),
      ...after.map((node) => rightEdge(here, node)),
    ],
  };
}

function standing(node: IntentNode, x: number, y: number): PlacedNode {
  return { ...node, x, y, isSelf: false };
}

function leftEdge(from: PlacedNode, to: PlacedNode): Edge {
  const [a, b] = [from.y + NODE.height / 2, to.y + NODE.height / 2];
  const out = MARGIN / 3;
  return {
    kind: "parent",
    points: [
      [from.x, a],
      [out, a],
      [out, b],
      [to.x, b],
    ],
  };
}

function rightEdge(from: PlacedNode, to: PlacedNode): Edge {
  const [a, b] = [from.y + NODE.height / 2, to.y + NODE.height / 2];
  const out = WIDTH - MARGIN / 3;
  return {
    kind: "dependency",
    points: [
      [from.x + NODE.width, a],
      [out, a],
      [out, b],
      [to.x + NODE.width, b],
    ],
  };
}

const LINE_LENGTH = 22;
const letters = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** A title on two lines; what does not fit is in the list beside the picture. No letter is cut in two. */
export function titleLines(title: string): readonly string[] {
  const lines: string[] = [];
  let rest = Array.from(letters.segment(title.trim()), ({ segment }) => segment);
  while (rest.length > 0 && lines.length < 2) {
    if (rest.length <= LINE_LENGTH) return [...lines, rest.join("")];
    const space = rest.lastIndexOf(" ", LINE_LENGTH);
    const cut = space > LINE_LENGTH / 2 ? space : LINE_LENGTH;
    const isLast = lines.length === 1;
    lines.push(
      isLast ? `${rest.slice(0, Math.min(cut, LINE_LENGTH - 1)).join("")}…` : rest.slice(0, cut).join(""),
    );
    rest = rest.slice(rest[cut] === " " ? cut + 1 : cut);
  }
  return lines;
}
