/** How a person types our commands here: a clone has npm scripts, an installed package has the command. */

const isClone = import.meta.url.endsWith(".ts");

export const START = isClone ? "npm start" : "npx holdpoint start";
export const DEMO = isClone ? "npm run demo" : "npx holdpoint demo";
