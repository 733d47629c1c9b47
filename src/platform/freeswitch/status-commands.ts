import type { Clock } from '#kernel/clock.ts';
import type { ChannelState, GatewayStatus, ListedChannel } from './switch.ts';

/**
 * Rows of `show … as json`; null when unreadable. An empty list has no `rows` member.
 *
 * Source: test/fixtures/esl/README.md §4
 */
export function readRows(text: string): Record<string, unknown>[] | null {
  const answer = parseJson(text);
  if (typeof answer !== 'object' || answer === null || !('row_count' in answer)) return null;
  const rows: unknown[] = 'rows' in answer && Array.isArray(answer.rows) ? answer.rows : [];
  return rows.filter(row => typeof row === 'object' && row !== null).map(row => ({ ...row }));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // the caller reports the cell as unavailable
  }
}

const ABSENT = '-ERR No such channel!';
/** Call states of an answered channel. */
const ANSWERED = new Set(['ACTIVE', 'HELD', 'UNHELD']);

/**
 * Parses the reply to `uuid_dump <uuid> json`; null when unreadable. A channel that is hanging up still counts: its event explains the end.
 *
 * Source: recording c-api-commands
 */
export function readChannelState(text: string): ChannelState | null {
  if (text === ABSENT) return { kind: 'absent' };
  const answeredAtUs = parseDump(text)?.['Caller-Channel-Answered-Time'];
  if (typeof answeredAtUs !== 'string' || !/^\d{1,17}$/.test(answeredAtUs)) return null;
  const answeredAt = Math.floor(Number(answeredAtUs) / 1_000);
  return answeredAt === 0 ? { kind: 'ringing' } : { kind: 'answered', answeredAt };
}

/** Rows of `show channels as json`; null when unreadable. */
export function readChannels(text: string): ListedChannel[] | null {
  return (
    readRows(text)?.flatMap(({ uuid, callstate, application }) => {
      const isAnswered = typeof callstate === 'string' && ANSWERED.has(callstate);
      return typeof uuid === 'string' ? [{ uuid, isAnswered, isInConference: application === 'conference' }] : [];
    }) ?? null
  );
}

function parseDump(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : null;
  } catch {
    return null; // the caller reports the cell as unavailable
  }
}

/** Cache times: a configuration rarely changes; a missing answer is requested again soon. ms */
const DOMAIN_KNOWN_MS = 60_000;
const DOMAIN_UNKNOWN_MS = 5_000;
const MAX_KNOWN_DOMAINS = 1_000;

/** `From    <sip:user@domain;transport=udp>`, used by the gateway when it registers. */
const FROM = /^From\s+<?sips?:(?:[^@\s>]*@)?([A-Za-z0-9.-]{1,253}(?::\d{1,5})?)/m;

/**
 * The domain that each gateway of a switch puts into the From header; null when the switch does not report it.
 *
 * Why:    a channel can override the From of its gateway, but only with a complete URI (D4.4)
 * Source: mod_sofia, `sofia status gateway <name>`
 */
export function gatewayDomains(ask: (line: string) => Promise<string>, clock: Clock): (gateway: string) => Promise<string | null> {
  const known = new Map<string, { until: number; domain: Promise<string | null> }>();
  const read = (gateway: string) =>
    ask(`sofia status gateway ${gateway}`).then(
      text => FROM.exec(text)?.[1] ?? null,
      () => null,
    );
  return gateway => {
    const now = clock.monotonic();
    const before = known.get(gateway);
    if (before && before.until > now) return before.domain;
    if (known.size >= MAX_KNOWN_DOMAINS) known.clear();
    const domain = read(gateway);
    const entry = { until: now + DOMAIN_UNKNOWN_MS, domain };
    known.set(gateway, entry);
    void domain.then(found => {
      if (found !== null) entry.until = now + DOMAIN_KNOWN_MS;
    });
    return domain;
  };
}

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
