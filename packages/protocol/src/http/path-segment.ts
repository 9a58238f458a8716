/** One part of a path. Half a surrogate pair cannot be sent; its replacement names nothing on the server. */
export function segment(id: string): string {
  return encodeURIComponent(id.toWellFormed());
}
