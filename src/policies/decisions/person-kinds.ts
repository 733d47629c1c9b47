import { problem } from '#kernel/problem.ts';
import { MS_PER_DAY, MS_PER_MINUTE } from '#kernel/calendar.ts';
import { type AbandonmentLimit, type ConfigMembers, fault, type PolicyKind, type Read, readInteger } from './policy-kind.ts';

const MS_PER_HOUR = 60 * MS_PER_MINUTE;
/** Longest window and longest rest after an abandoned call, hours: 31 days. */
const MAX_HOURS = (31 * MS_PER_DAY) / MS_PER_HOUR;
const MAX_PERCENT = 100;
export const MAX_PURPOSE_LENGTH = 64;
/** Most policies of one campaign that ask for consent. */
export const MAX_PURPOSES = 20;

/**
 * Answered calls on which a limit is measured at least.
 *
 * Why: the first abandoned call of a campaign is a hundred percent of one answered call; the sources measure a rate over the whole span
 */
export const MIN_ANSWERED = 100;

/** Calls of one campaign within the hours of a limit. */
export interface AbandonmentCount {
  policyId: number;
  /** Calls that a person answered, abandoned ones included; counting may stop where more would not change the verdict. */
  answered: number;
  /** When the abandoned ones ended, UTC ms, oldest first. */
  abandonedAt: readonly number[];
}

/**
 * The instant at which enough abandoned calls have left the hours of the limit; null while the rate is within it.
 *
 * Why:   nothing is answered while the campaign waits, so only the passing of time lowers the rate
 * Units: UTC ms
 */
export function abandonmentFreeAt(limit: AbandonmentLimit, { answered, abandonedAt }: Omit<AbandonmentCount, 'policyId'>): number | null {
  const allowed = Math.floor((limit.maxPercent * Math.max(answered, MIN_ANSWERED)) / MAX_PERCENT);
  const lastToLeave = abandonedAt[abandonedAt.length - allowed - 1];
  return lastToLeave === undefined ? null : lastToLeave + limit.hours * MS_PER_HOUR;
}

/** The instant from which a person may be called again whose last abandoned call ended at `abandonedAt`. Units: UTC ms */
export function restedAt(hours: number, abandonedAt: number): number {
  return abandonedAt + hours * MS_PER_HOUR;
}

function readPurpose(config: ConfigMembers): Read<string> {
  const given = config['purpose'];
  const purpose = typeof given === 'string' ? given.trim() : '';
  if (purpose === '') return fault('purpose', problem('filledText'));
  return purpose.length > MAX_PURPOSE_LENGTH
    ? fault('purpose', problem('textUpTo', { max: MAX_PURPOSE_LENGTH }))
    : { ok: true, value: purpose };
}

/** Policy types that protect the person who is called. */
export const PERSON_KINDS = {
  /** Forbids dialling people who have given no consent for the purpose, or have revoked it. Source: D8.10 */
  consent_required: {
    action: 'block',
    settings: 'ConsentRequiredSettings',
    read(config) {
      const purpose = readPurpose(config);
      return purpose.ok ? { ok: true, value: { kind: 'consent', purpose: purpose.value } } : purpose;
    },
  },
  /** Makes a campaign wait that has abandoned too many of the calls that people answered. Source: D8.11 */
  abandonment_limit: {
    action: 'limit',
    settings: 'AbandonmentLimitSettings',
    read(config) {
      const hours = readInteger(config, 'hours', 1, MAX_HOURS);
      if (!hours.ok) return hours;
      const maxPercent = readInteger(config, 'maxPercent', 1, MAX_PERCENT);
      if (!maxPercent.ok) return maxPercent;
      return { ok: true, value: { kind: 'abandonment', limit: { hours: hours.value, maxPercent: maxPercent.value } } };
    },
  },
  /** Keeps a person from being called for some hours after a call that was abandoned. Source: D8.11 */
  abandoned_rest: {
    action: 'limit',
    settings: 'AbandonedRestSettings',
    read(config) {
      const hours = readInteger(config, 'hours', 1, MAX_HOURS);
      return hours.ok ? { ok: true, value: { kind: 'rest', hours: hours.value } } : hours;
    },
  },
} as const satisfies Record<string, PolicyKind>;
