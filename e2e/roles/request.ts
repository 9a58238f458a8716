/** One call to an operation, without a credential. */
export interface RoleRequest {
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}
