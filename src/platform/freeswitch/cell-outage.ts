import type { Log } from '#kernel/log.ts';
import type { CellFault } from './switch.ts';
import { ADDRESS_REFUSED, PASSWORD_REFUSED } from './esl-connection.ts';

export const SHUTTING_DOWN = 'the switch is shutting down';

/** Upper limit of logged reasons per outage. */
const MAX_REASONS = 20;

const FAULTS: Readonly<Record<string, CellFault>> = {
  [PASSWORD_REFUSED]: 'auth_refused',
  [ADDRESS_REFUSED]: 'acl_refused',
  [SHUTTING_DOWN]: 'shutting_down',
};

/**
 * Tracks why a cell is down; each new reason within an outage is logged once.
 *
 * Why:    the reason may change during an outage: a switch may restart with a different password, for example
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
