import type { Faults } from './faults.ts';

/** Argument of `api callout_fault`. */
export type FaultOrder = { [key: string]: unknown; fault?: unknown };

const MAX_NUMBER = 1_000_000;
const NAME = /^[\w.:-]{1,64}$/;

interface Members {
  count: number;
  durationMs: number;
  kind: 'bgapi' | 'api' | 'any';
  event: string | undefined;
  cause: string;
  gateway: string;
}

const ORDERS: Readonly<Record<string, (faults: Faults, members: Members) => void>> = {
  freeze: (faults, { durationMs }) => faults.freeze(durationMs),
  thaw: faults => faults.thaw(),
  drop: faults => faults.dropConnections(),
  cut: (faults, { durationMs }) => faults.cut(durationMs),
  loseReplies: (faults, { count, kind }) => faults.loseReplies(count, kind),
  loseEvents: (faults, { count, event }) => faults.loseEvents(count, event),
  duplicateEvents: (faults, { count }) => faults.duplicateEvents(count),
  swapEvents: (faults, { count }) => faults.swapEvents(count),
  slow: (faults, { durationMs }) => faults.slow(durationMs),
  kill: (faults, { durationMs }) => faults.kill(durationMs),
  restart: (faults, { durationMs }) => faults.restart(durationMs),
  slowRooms: ({ troubles }, { count, durationMs }) => troubles.slowRooms(count, durationMs),
  unwritableRecordings: ({ troubles }, { count }) => troubles.unwritableRecordings(count),
  refuse: ({ troubles }, { count, cause }) => troubles.refuse(count, cause),
  gatewayDown: ({ troubles }, { gateway }) => void troubles.downGateways.add(gateway),
  gatewayUp: ({ troubles }, { gateway }) => void troubles.downGateways.delete(gateway),
  silentCarrier: ({ troubles }, { gateway }) => troubles.carrier(gateway, 'silent'),
  refusingCarrier: ({ troubles }, { gateway }) => troubles.carrier(gateway, 'refusing'),
  halfDeadCarrier: ({ troubles }, { gateway }) => troubles.carrier(gateway, 'half_dead'),
  congestedCarrier: ({ troubles }, { gateway }) => troubles.carrier(gateway, 'congested'),
  carrierUp: ({ troubles }, { gateway }) => troubles.carrier(gateway, null),
};

export const FAULT_NAMES: readonly string[] = Object.keys(ORDERS);

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
  const name = String(order.fault);
  const carryOut = Object.hasOwn(ORDERS, name) ? ORDERS[name] : undefined;
  if (!carryOut) return `fault must be one of ${FAULT_NAMES.join(', ')}`;
  carryOut(faults, { ...namesOf(order), count, durationMs });
  return null;
}

function namesOf({ kind, event, cause, gateway }: FaultOrder): Omit<Members, 'count' | 'durationMs'> {
  return {
    kind: kind === 'bgapi' || kind === 'api' ? kind : 'any',
    event: nameOf(event),
    cause: nameOf(cause) ?? 'DESTINATION_OUT_OF_ORDER',
    gateway: nameOf(gateway) ?? '',
  };
}

function wholeNumber(value: unknown, fallback: number): number | null {
  if (value === undefined) return fallback;
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_NUMBER ? value : null;
}

function nameOf(value: unknown): string | undefined {
  return typeof value === 'string' && NAME.test(value) ? value : undefined;
}
