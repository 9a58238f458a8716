/** Text that shows as it was written where the platform would read it as markup, links in disguise included. */
export function markdownFree(text: string): string {
  return text.replace(/[\\`*_~|>#[\]()<@]/g, "\\$&");
}
