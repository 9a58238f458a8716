/**
 * The lines of each contract, as `<contract>.txt` beside this file lists them: one a line, columns apart by tabs. The first is the
 * id, the last says what it asks for; between them may stand its level (M must, S should, O offered) and `later <name>` for
 * what is left to a part that does not exist yet. A contract is added by adding its list.
 */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export type Level = "M" | "S" | "O";

export interface Line {
  readonly id: string;
  readonly level?: Level;
  readonly later?: string;
  readonly title: string;
}

export interface Contract {
  readonly name: string;
  readonly lines: readonly Line[];
}

export function contractsIn(folder: string): readonly Contract[] {
  const files = readdirSync(folder).filter((file) => file.endsWith(".txt"));
  return files.toSorted().map((file) => {
    const name = file.slice(0, -".txt".length);
    return { name, lines: readLines(name, readFileSync(join(folder, file), "utf8")) };
  });
}

export function readLines(name: string, text: string): readonly Line[] {
  const rows = text.split("\n").filter((row) => row.trim() !== "" && !row.startsWith("#"));
  const lines = rows.map((row) => readLine(name, row));
  const ids = lines.map(({ id }) => id);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) throw new Error(`${name}: ${twice} stands in the list twice`);
  return lines;
}

function readLine(name: string, row: string): Line {
  const [id = "", ...rest] = row.split("\t").map((column) => column.trim());
  const title = rest.pop();
  if (!/^[A-Z]+(?:-\d+)?\w*$/.test(id) || title === undefined || title === "") {
    throw new Error(`${name}: not an id and what it asks for: ${row}`);
  }
  const level = rest.find((column): column is Level => /^[MSO]$/.test(column));
  const later = rest.map((column) => /^later (.+)$/.exec(column)?.[1]).find((found) => found !== undefined);
  return {
    id,
    ...(level === undefined ? {} : { level }),
    ...(later === undefined ? {} : { later }),
    title,
  };
}
