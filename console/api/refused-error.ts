/** A request that the server refused, with its message for the user and the id by which the server's log tells more. */
export class RefusedError extends Error {
  readonly traceId: string | null;

  constructor(message: string, traceId: string | null = null) {
    super(message);
    this.traceId = traceId;
  }
}
