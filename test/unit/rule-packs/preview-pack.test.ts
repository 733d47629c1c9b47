import { describe, expect, test } from '@jest/globals';
import type { Consent } from '#consent/consent.ts';
import { type Choices, findPack, policiesOf } from '#policies/decisions/rule-packs.ts';
import { type PastDial, previewPack } from '#rule-packs/decisions/preview-pack.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** A Monday, midnight in Shanghai. */
const FROM = Date.UTC(2026, 10, 15, 16);

let nextId = 1;

function dial(dialledAt: number, fields: Partial<PastDial> = {}): PastDial {
  return {
    id: nextId++,
    campaignId: 1,
    dialKey: '+8613800000001',
    dialledAt,
    endedAt: dialledAt + MINUTE,
    outcome: 'no_answer',
    zones: null,
    ...fields,
  };
}

/** Blocked dials by the part of the rule's id behind the pack, without rules that blocked none. */
function blockedBy(packId: string, dials: PastDial[], options: { choices?: Choices; consents?: Map<string, Consent[]> } = {}) {
  const pack = findPack(packId);
  if (!pack) throw new Error(`no pack ${packId}`);
  const facts = {
    dials,
    consents: options.consents ?? new Map(),
    from: FROM,
    campaignId: null,
    timeZone: 'Asia/Shanghai',
    region: 'CN',
  } as const;
  const { attempts, blocked, byRule } = previewPack(policiesOf(pack, options.choices ?? {}), facts);
  return { attempts, blocked, ...Object.fromEntries([...byRule].filter(([, count]) => count > 0)) };
}

describe('a week replayed through a pack [D8.11]', () => {
  test('counts what the window and the daily limit would have blocked, a dial with two reasons once', () => {
    const at = (hour: number) => FROM + hour * HOUR;
    // 07:00 is too early; of 09, 11, 13 and 15 o'clock the last is the fourth; 22:00 is too late and the fourth within 24 hours.
    expect(
      blockedBy(
        'cn',
        [7, 9, 11, 13, 15, 22].map(hour => dial(at(hour))),
      ),
    ).toEqual({
      attempts: 6,
      blocked: 3,
      'cn/calling-hours': 2,
      'cn/calls-per-day': 2,
    });
  });

  test('does not count a dial that it would have blocked for later ones, and takes those before the week as history', () => {
    const times = [-3, -2, -1].map(hour => FROM - 12 * HOUR + hour * HOUR);
    // Three dials yesterday from 09:00 to 11:00: 08:30 is the fourth within 24 hours, 09:30 is not, since 08:30 was not made.
    expect(
      blockedBy(
        'cn',
        [...times, FROM + 8.5 * HOUR, FROM + 9.5 * HOUR].map(at => dial(at)),
      ),
    ).toEqual({
      attempts: 2,
      blocked: 1,
      'cn/calls-per-day': 1,
    });
  });

  test("reads windows in the contact's own zone", () => {
    // 12:00 in Shanghai is 23:00 in New York.
    expect(blockedBy('cn', [dial(FROM + 12 * HOUR, { zones: 'America/New_York' }), dial(FROM + 15 * HOUR)])).toMatchObject({ blocked: 1 });
  });

  test('asks the ledger as it stood when the dial was made', () => {
    const entry = (at: number, kind: Consent['kind']): Consent => ({
      id: at,
      kind,
      at,
      phoneNumber: '13800000001',
      purpose: 'marketing',
      source: '表单',
      wording: '',
      until: null,
      evidence: '',
      origin: 'console',
      createdBy: null,
      createdAt: at,
      updatedAt: at,
    });
    const ledger = [entry(FROM + 2 * DAY, 'given'), entry(FROM + 4 * DAY, 'revoked')];
    const dials = [1, 3, 5].map(day => dial(FROM + day * DAY + 12 * HOUR));
    expect(blockedBy('eu', dials, { consents: new Map([['+8613800000001', ledger]]) })).toEqual({
      attempts: 3,
      blocked: 2,
      'eu/consent': 2,
    });
  });

  test('lets a number rest for 72 hours after an abandoned call', () => {
    const dials = [
      dial(FROM + 10 * HOUR, { outcome: 'abandoned' }),
      dial(FROM + 2 * DAY + 10 * HOUR),
      dial(FROM + 3 * DAY + 10 * HOUR + 2 * MINUTE),
    ];
    expect(blockedBy('uk', dials, { choices: { 'uk/consent': 'off' } })).toEqual({ attempts: 3, blocked: 1, 'uk/rest-after-abandoned': 1 });
  });

  test('stops a campaign after its fourth abandoned call of few, and another campaign not', () => {
    const answered = (campaignId: number, minute: number, outcome: PastDial['outcome']) =>
      dial(FROM + 10 * HOUR + minute * MINUTE, {
        campaignId,
        outcome,
        dialKey: `+86138${campaignId}${minute}`,
        endedAt: FROM + 10 * HOUR + minute * MINUTE + 1,
      });
    const dials = [
      ...[0, 1, 2, 3].map(minute => answered(1, minute, 'abandoned')),
      ...[4, 5].map(minute => answered(1, minute, 'completed')),
      answered(2, 6, 'completed'),
    ];
    expect(blockedBy('uk', dials, { choices: { 'uk/consent': 'off' } })).toEqual({ attempts: 7, blocked: 2, 'uk/abandonment': 2 });
  });
});
