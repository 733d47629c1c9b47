/** What may wait for one slow client beyond what it was owed at once, bytes. */
const MAX_BACKLOG_BYTES = 256 * 1024;

/**
 * Decides whether a client still takes part or is too slow.
 *
 * Why: a beginning may be larger than the bound; while it is on its way it must not count as slowness, or a busy stream would start over for ever
 */
export class Backlog {
  #owedBytes = 0;

  /** `queuedBytes` wait for the client now. */
  isFull(queuedBytes: number): boolean {
    return queuedBytes > this.#owedBytes + MAX_BACKLOG_BYTES;
  }

  /** A beginning was queued and `queuedBytes` wait now. */
  owe(queuedBytes: number): void {
    this.#owedBytes = queuedBytes;
  }

  drained(): void {
    this.#owedBytes = 0;
  }
}
