import type { ChannelState, ListedChannel } from '#ports/switch.ts';
import { readRows } from './show-rows.ts';

const ABSENT = '-ERR No such channel!';
/** Call states of a channel that somebody has answered. */
const ANSWERED = new Set(['ACTIVE', 'HELD', 'UNHELD']);

/**
 * What `uuid_dump <uuid> json` says; null when it cannot be read. A channel that is just ending stands until it is gone: its event says why.
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

/** Rows of `show channels as json`; null when the answer is none. */
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
