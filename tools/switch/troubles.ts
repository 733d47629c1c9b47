/**
 * `silent`: what is sent is swallowed; `refusing`: nobody listens on the port; `half_dead`: every other call is swallowed;
 * `congested`: the carrier itself answers 503.
 */
export type CarrierFault = 'silent' | 'refusing' | 'half_dead' | 'congested';

/** What is wrong with the switch itself, as ordered; it outlives a restart. */
export class Troubles {
  readonly downGateways = new Set<string>();
  readonly #carriers = new Map<string, CarrierFault>();
  #callsOfHalfDead = 0;
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

  /** A carrier, by the name of its gateway or by its host, does so from now on; null: as usual. */
  carrier(name: string, fault: CarrierFault | null): void {
    if (fault === null) this.#carriers.delete(name);
    else this.#carriers.set(name, fault);
  }

  /** What the next call meets on its way to a carrier; null: nothing in particular. */
  takeWay(name: string): 'silent' | 'closed' | 'congested' | null {
    const fault = this.#carriers.get(name);
    if (fault === undefined) return null;
    if (fault === 'refusing') return 'closed';
    if (fault === 'congested') return fault;
    if (fault === 'half_dead') this.#callsOfHalfDead += 1;
    return fault === 'silent' || this.#callsOfHalfDead % 2 === 1 ? 'silent' : null;
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
