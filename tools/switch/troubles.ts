/** What is wrong with the switch itself, as ordered; it outlives a restart. */
export class Troubles {
  readonly downGateways = new Set<string>();
  #slowRooms = { left: 0, delayMs: 0 };
  #unwritable = 0;
  #refusals = { left: 0, cause: '' };

  /** The next `count` channels reach their conference this much after the order. */
  slowRooms(count: number, delayMs: number): void {
    this.#slowRooms = { left: count, delayMs };
  }

  /** The next `count` recordings cannot be written. */
  unwritableRecordings(count: number): void {
    this.#unwritable = count;
  }

  /** The next `count` originates are refused by the switch itself. */
  refuse(count: number, cause: string): void {
    this.#refusals = { left: count, cause };
  }

  /** How late the next channel reaches its conference, ms; null: as usual. */
  takeSlowRoom(): number | null {
    if (this.#slowRooms.left === 0) return null;
    this.#slowRooms.left -= 1;
    return this.#slowRooms.delayMs;
  }

  takeUnwritable(): boolean {
    if (this.#unwritable === 0) return false;
    this.#unwritable -= 1;
    return true;
  }

  /** Why the next originate is refused; null: it is not. */
  takeRefusal(): string | null {
    if (this.#refusals.left === 0) return null;
    this.#refusals.left -= 1;
    return this.#refusals.cause;
  }
}
