import type { ChannelState, ListedChannel } from './switch.ts';
import { readRows } from './show-rows.ts';

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
