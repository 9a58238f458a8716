/** One page of a list that is read page by page. What is passed over is not kept, however far a caller goes (G13). */

export interface Place {
  readonly offset: number;
  readonly limit: number;
}

/** The items from `offset` on, at most `limit`, of those that `isWanted`. */
export async function collect<Item>(
  pages: AsyncIterable<readonly Item[]>,
  isWanted: (item: Item) => boolean,
  { offset, limit }: Place,
): Promise<readonly Item[]> {
  const found: Item[] = [];
  let passed = 0;
  for await (const page of pages) {
    for (const item of page) {
      if (!isWanted(item)) continue;
      if (passed < offset) passed += 1;
      else found.push(item);
      if (found.length >= limit) return found;
    }
  }
  return found;
}
