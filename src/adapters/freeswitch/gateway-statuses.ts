import type { Clock } from '#kernel/clock.ts';
import type { GatewayStatus } from '#ports/switch.ts';

/** A page that shows lines asks again and again. ms */
const KNOWN_MS = 5_000;
const MAX_KNOWN = 1_000;

/** Names of mod_sofia's states; `UNREGED` is where it begins and where it comes back to. */
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
 * How each gateway of one switch stands.
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
    if (known.size >= MAX_KNOWN) known.clear();
    const status = (before?.status ?? Promise.resolve(undefined)).then(last => read(gateway, last));
    known.set(gateway, { until: now + KNOWN_MS, status });
    return status;
  };
}

interface SaidOfGateway extends Omit<GatewayStatus, 'since'> {
  /** Null while it is not up. */
  upSeconds: number | null;
}

const UNHEARD: SaidOfGateway = { state: 'unknown', detail: null, upSeconds: null };

/** What the switch says of one gateway. */
export function parseGatewayStatus(text: string): SaidOfGateway {
  if (/^Invalid Gateway!/m.test(text)) return { state: 'missing', detail: null, upSeconds: null };
  const state = /^State\s+(\w+)/m.exec(text)?.[1];
  const isDown = /^Status\s+DOWN/m.test(text);
  const known = state === undefined ? 'unknown' : (STATES[state] ?? 'unknown');
  // A carrier that does not answer the pings is not called, whatever the registration was.
  if (isDown && (known === 'open' || known === 'registered')) return { state: 'failed', detail: 'DOWN', upSeconds: null };
  const uptime = /^Uptime\s+(\d+)s/m.exec(text)?.[1];
  const isUp = known === 'open' || known === 'registered';
  return { state: known, detail: state ?? null, upSeconds: isUp && uptime !== undefined ? Number(uptime) : null };
}
