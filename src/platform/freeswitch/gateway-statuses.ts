import type { Clock } from '#kernel/clock.ts';
import type { GatewayStatus } from './switch.ts';

/** Cache time: pages that show lines query repeatedly. ms */
const STATUS_KNOWN_MS = 5_000;
const MAX_KNOWN_STATUSES = 1_000;

/** States of mod_sofia; `UNREGED` is both the initial state and the one between attempts. */
const STATES: Readonly<Record<string, GatewayStatus['state']>> = {
  NOREG: 'open',
  REGED: 'registered',
  UNREGED: 'trying',
  TRYING: 'trying',
  REGISTER: 'trying',
  UNREGISTER: 'trying',
  FAILED: 'failed',
  FAIL_WAIT: 'failed',
  EXPIRED: 'failed',
  TIMEOUT: 'failed',
  DOWN: 'failed',
};

/**
 * Status of each gateway of a switch.
 *
 * Source: mod_sofia, `sofia status gateway <name>`: State, Status, and Uptime while it is up
 */
export function gatewayStatuses(ask: (line: string) => Promise<string>, clock: Clock): (gateway: string) => Promise<GatewayStatus> {
  const known = new Map<string, { until: number; status: Promise<GatewayStatus> }>();
  const read = async (gateway: string, before: GatewayStatus | undefined): Promise<GatewayStatus> => {
    const { state, detail, upSeconds } = await ask(`sofia status gateway ${gateway}`).then(parseGatewayStatus, () => UNHEARD);
    const now = clock.now();
    if (upSeconds !== null) return { state, detail, since: now - upSeconds * 1_000 };
    return { state, detail, since: before?.state === state ? before.since : now };
  };
  return gateway => {
    const now = clock.monotonic();
    const before = known.get(gateway);
    if (before && before.until > now) return before.status;
    if (known.size >= MAX_KNOWN_STATUSES) known.clear();
    const status = (before?.status ?? Promise.resolve(undefined)).then(last => read(gateway, last));
    known.set(gateway, { until: now + STATUS_KNOWN_MS, status });
    return status;
  };
}

interface SaidOfGateway extends Omit<GatewayStatus, 'since'> {
  /** Null while the gateway is down. */
  upSeconds: number | null;
}

const UNHEARD: SaidOfGateway = { state: 'unknown', detail: null, upSeconds: null };

/** Parses the reply about one gateway. */
export function parseGatewayStatus(text: string): SaidOfGateway {
  if (/^Invalid Gateway!/m.test(text)) return { state: 'missing', detail: null, upSeconds: null };
  const state = /^State\s+(\w+)/m.exec(text)?.[1];
  const isDown = /^Status\s+DOWN/m.test(text);
  const known = state === undefined ? 'unknown' : (STATES[state] ?? 'unknown');
  // A gateway whose carrier does not answer the pings is not used, even if it is registered.
  if (isDown && (known === 'open' || known === 'registered')) return { state: 'failed', detail: 'DOWN', upSeconds: null };
  const uptime = /^Uptime\s+(\d+)s/m.exec(text)?.[1];
  const isUp = known === 'open' || known === 'registered';
  return { state: known, detail: state ?? null, upSeconds: isUp && uptime !== undefined ? Number(uptime) : null };
}
