import type { Log } from '#kernel/log.ts';
import type { CellFault } from '#ports/switch.ts';
import { ADDRESS_REFUSED, PASSWORD_REFUSED } from './esl-connection.ts';

export const SHUTTING_DOWN = 'the switch is shutting down';

/** Different reasons of one outage that are logged. */
const MAX_REASONS = 20;

const FAULTS: Readonly<Record<string, CellFault>> = {
  [PASSWORD_REFUSED]: 'auth_refused',
  [ADDRESS_REFUSED]: 'acl_refused',
  [SHUTTING_DOWN]: 'shutting_down',
};

/**
 * Why a cell is down, as it changes: each new reason of one outage is logged once.
 *
 * Why:    a switch that comes back with another password is away for another reason than the one that was reported first
 */
export class CellOutage {
  fault: CellFault | undefined;
  readonly #log: Log;
  readonly #reported = new Set<string>();

  constructor(log: Log) {
    this.#log = log;
  }

  note(reason: string): void {
    this.fault = Object.hasOwn(FAULTS, reason) ? FAULTS[reason] : 'unreachable';
    if (this.#reported.has(reason) || this.#reported.size >= MAX_REASONS) return;
    this.#reported.add(reason);
    this.#log.warn({ state: 'down', reason, fault: this.fault }, 'cell state');
  }

  end(): void {
    this.fault = undefined;
    this.#reported.clear();
  }
}
