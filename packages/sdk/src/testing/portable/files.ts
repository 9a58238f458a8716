/** Stands in for `node:fs/promises` in the bundle: a store in memory writes files only for backups, and nobody asks for one. */

const refuse = (): Promise<never> => Promise.reject(new Error("A Holdpoint in memory writes no files."));

export const readFile = refuse;
export const writeFile = refuse;
