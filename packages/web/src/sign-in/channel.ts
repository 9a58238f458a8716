/** Tells other windows of this browser that somebody has just signed in. */
export const SIGNED_IN_CHANNEL = "holdpoint.signed-in";
