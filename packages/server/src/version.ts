/** The version of everything here; one for all packages. */
export const VERSION = "0.1.0";
