import type { Faults } from './faults.ts';

/** Argument of `api callout_fault`. */
export type FaultOrder = { [key: string]: unknown; fault?: unknown };

const MAX_NUMBER = 1_000_000;
const NAME = /^[\w.:-]{1,64}$/;

/**
 * Executes a fault order from the control connection.
 *
 * Shape: null on success, else the error in the order
 */
export function orderFault(faults: Faults, order: FaultOrder): string | null {
  const count = wholeNumber(order['count'], 1);
  const durationMs = wholeNumber(order['durationMs'], 5_000);
  if (count === null) return 'count must be an integer from 0 to 1000000';
  if (durationMs === null) return 'durationMs must be an integer from 0 to 1000000';
  const { kind } = order;
  const event = nameOf(order['event']);
  const cause = nameOf(order['cause']) ?? 'DESTINATION_OUT_OF_ORDER';
  const gateway = nameOf(order['gateway']) ?? '';
  const { troubles } = faults;
  const orders: Record<string, () => void> = {
    freeze: () => faults.freeze(durationMs),
    thaw: () => faults.thaw(),
    drop: () => faults.dropConnections(),
    cut: () => faults.cut(durationMs),
    loseReplies: () => faults.loseReplies(count, kind === 'bgapi' || kind === 'api' ? kind : 'any'),
    loseEvents: () => faults.loseEvents(count, event),
    duplicateEvents: () => faults.duplicateEvents(count),
    swapEvents: () => faults.swapEvents(count),
    slow: () => faults.slow(durationMs),
    kill: () => faults.kill(durationMs),
    restart: () => faults.restart(durationMs),
    slowRooms: () => troubles.slowRooms(count, durationMs),
    unwritableRecordings: () => troubles.unwritableRecordings(count),
    refuse: () => troubles.refuse(count, cause),
    gatewayDown: () => void troubles.downGateways.add(gateway),
    gatewayUp: () => void troubles.downGateways.delete(gateway),
    silentCarrier: () => troubles.carrier(gateway, 'silent'),
    refusingCarrier: () => troubles.carrier(gateway, 'refusing'),
    halfDeadCarrier: () => troubles.carrier(gateway, 'half_dead'),
    congestedCarrier: () => troubles.carrier(gateway, 'congested'),
    carrierUp: () => troubles.carrier(gateway, null),
  };
  const name = String(order.fault);
  const carryOut = Object.hasOwn(orders, name) ? orders[name] : undefined;
  if (!carryOut) return `fault must be one of ${Object.keys(orders).join(', ')}`;
  carryOut();
  return null;
}

function wholeNumber(value: unknown, fallback: number): number | null {
  if (value === undefined) return fallback;
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_NUMBER ? value : null;
}

function nameOf(value: unknown): string | undefined {
  return typeof value === 'string' && NAME.test(value) ? value : undefined;
}
