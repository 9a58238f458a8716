/** Where an intent and its neighbours stand in their picture: parent above, what it waits for, itself, what waits for it. */

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
  readonly kind: "parent" | "dependency";
  /** From the bottom of one to the top of the other. */
  readonly from: readonly [x: number, y: number];
  readonly to: readonly [x: number, y: number];
}

export interface IntentPicture {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly Edge[];
}

export const NODE = { width: 164, height: 62 } as const;
const GAP = { x: 14, y: 34 } as const;
const COLUMNS = 2;
/** Of each kind; the list beside the picture has all. */
export const DRAWN_MAX = 6;

export function layOut({ self, parent, dependencies, dependents, children }: Neighbourhood): IntentPicture {
  const width = COLUMNS * NODE.width + (COLUMNS - 1) * GAP.x;
  const nodes: PlacedNode[] = [];
  let y = 0;
  const rows = (list: readonly IntentNode[], isSelf = false): readonly PlacedNode[] => {
    const shown = list.slice(0, DRAWN_MAX);
    const placed: PlacedNode[] = [];
    for (let at = 0; at < shown.length; at += COLUMNS) {
      const row = shown.slice(at, at + COLUMNS);
      const used = row.length * NODE.width + (row.length - 1) * GAP.x;
      row.forEach((node, column) => {
        const x = (width - used) / 2 + column * (NODE.width + GAP.x);
        placed.push({ ...node, x, y, isSelf });
      });
      y += NODE.height + GAP.y;
    }
    nodes.push(...placed);
    return placed;
  };
  const above = rows(parent === undefined ? [] : [parent]);
  const before = rows(dependencies);
  const [here] = rows([self], true);
  const after = rows(dependents);
  const below = rows(children);
  const edges =
    here === undefined
      ? []
      : [
          ...above.map((node) => edge("parent", node, here)),
          ...before.map((node) => edge("dependency", node, here)),
          ...after.map((node) => edge("dependency", here, node)),
          ...below.map((node) => edge("parent", here, node)),
        ];
  return { width, height: y - GAP.y, nodes, edges };
}

function edge(kind: Edge["kind"], from: PlacedNode, to: PlacedNode): Edge {
  const middle = NODE.width / 2;
  return { kind, from: [from.x + middle, from.y + NODE.height], to: [to.x + middle, to.y] };
}

const LINE_LENGTH = 22;

/** A title on two lines; what does not fit is in the list beside the picture. */
export function titleLines(title: string): readonly string[] {
  const lines: string[] = [];
  let rest = title.trim();
  while (rest !== "" && lines.length < 2) {
    if (rest.length <= LINE_LENGTH) return [...lines, rest];
    const space = rest.lastIndexOf(" ", LINE_LENGTH);
    const cut = space > LINE_LENGTH / 2 ? space : LINE_LENGTH;
    lines.push(rest.slice(0, cut));
    rest = rest.slice(cut).trim();
  }
  if (rest === "") return lines;
  const [first = "", last = ""] = lines;
  return [first, `${last.slice(0, LINE_LENGTH - 1)}…`];
}
