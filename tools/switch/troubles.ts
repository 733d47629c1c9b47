/**
 * `silent`: drops all packets; `refusing`: nothing listens on the port; `half_dead`: drops every other call; `congested`: the carrier
 * itself responds with 503.
 */
export type CarrierFault = 'silent' | 'refusing' | 'half_dead' | 'congested';

/** Requested faults of the switch itself; they survive a restart. */
export class Troubles {
  readonly downGateways = new Set<string>();
  readonly #carriers = new Map<string, CarrierFault>();
  #callsOfHalfDead = 0;
  #slowRooms = { left: 0, delayMs: 0 };
  #unwritable = 0;
  #refusals = { left: 0, cause: '' };

  /** Delays the next `count` channels on their way into their conference. */
  slowRooms(count: number, delayMs: number): void {
    this.#slowRooms = { left: count, delayMs };
  }

  /** Makes the next `count` recordings unwritable. */
  unwritableRecordings(count: number): void {
    this.#unwritable = count;
  }

  /** Makes the switch itself refuse the next `count` originates. */
  refuse(count: number, cause: string): void {
    this.#refusals = { left: count, cause };
  }

  /** Sets the fault of a carrier, by gateway name or host; null: none. */
  carrier(name: string, fault: CarrierFault | null): void {
    if (fault === null) this.#carriers.delete(name);
    else this.#carriers.set(name, fault);
  }

  /** Fault that the next call to a carrier meets; null: none. */
  takeWay(name: string): 'silent' | 'closed' | 'congested' | null {
    const fault = this.#carriers.get(name);
    if (fault === undefined) return null;
    if (fault === 'refusing') return 'closed';
    if (fault === 'congested') return fault;
    if (fault === 'half_dead') this.#callsOfHalfDead += 1;
    return fault === 'silent' || this.#callsOfHalfDead % 2 === 1 ? 'silent' : null;
  }

  /** Delay of the next channel into its conference, in ms; null: none. */
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

  /** Cause with which the next originate is refused; null: it is not. */
  takeRefusal(): string | null {
    if (this.#refusals.left === 0) return null;
    this.#refusals.left -= 1;
    return this.#refusals.cause;
  }
}
