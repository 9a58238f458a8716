/** How a person types our commands here: a clone has npm scripts, an installed package has the command. */

const isClone = import.meta.url.endsWith(".ts");

export const START = isClone ? "npm start" : "npx holdpoint start";
export const CONSOLE = isClone ? "npm run holdpoint -- console" : "npx holdpoint console";
export const RECOVER = isClone ? "npm run holdpoint -- people recover" : "npx holdpoint people recover";
export const DEMO = isClone ? "npm run demo" : "npx holdpoint demo";
