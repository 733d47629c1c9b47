/** A request that the server refused, with its message for the user and the trace id for the server's log. */
export class RefusedError extends Error {
  readonly traceId: string | null;

  constructor(message: string, traceId: string | null = null) {
    super(message);
    this.traceId = traceId;
  }
}
