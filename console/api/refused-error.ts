/** What the server said instead of doing what was asked: a message for people, as it came, and the number by which its log tells more. */
export class RefusedError extends Error {
  readonly traceId: string | null;

  constructor(message: string, traceId: string | null = null) {
    super(message);
    this.traceId = traceId;
  }
}
