/** Most bytes that may be queued for a slow client beyond its initial snapshot. */
const MAX_BACKLOG_BYTES = 256 * 1024;

/**
 * Decides whether a client keeps up or is too slow.
 *
 * Why: a snapshot may be larger than the bound; counted as slowness while it is being sent, it would make a busy stream start over for ever
 */
export class Backlog {
  #owedBytes = 0;

  /** `queuedBytes`: bytes that are queued for the client now. */
  isFull(queuedBytes: number): boolean {
    return queuedBytes > this.#owedBytes + MAX_BACKLOG_BYTES;
  }

  /** Exempts a snapshot that was just queued from the bound; `queuedBytes`: bytes that are queued now. */
  owe(queuedBytes: number): void {
    this.#owedBytes = queuedBytes;
  }

  drained(): void {
    this.#owedBytes = 0;
  }
}
