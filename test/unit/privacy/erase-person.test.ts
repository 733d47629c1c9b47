import { expect, test } from '@jest/globals';
import { systemCaller } from '#kernel/caller.ts';
import { erasePerson, type PrivacyPart } from '#privacy/erase-person.ts';
import type { NewAuditRow, AuditPart } from '#audit/audit.ts';
import type { ErasedCounts } from '#privacy/person-rows.ts';
import { manualClock } from '#test/support/manual-clock.ts';
import type { LiveCallReadPart } from '#calls/live-call-store.ts';
import type { DiallingPlace } from '#phone-numbers/short-code.ts';
import type { Platform } from '#platform/platform.ts';

const NOTHING: ErasedCounts = {
  contacts: 0,
  attempts: 0,
  transcripts: 0,
  recordings: 0,
  agentCalls: 0,
  conferences: 0,
  events: 0,
  auditRows: 0,
};
const NUMBER = '13800138000';

/** A customer whose data takes `slices` steps of `sliceMs` to erase; at step `callsAt` the customer is in a call. */
function person({ slices, sliceMs, callsAt = Infinity }: { slices: number; sliceMs: number; callsAt?: number }) {
  const clock = manualClock();
  const rows: NewAuditRow[] = [];
  let taken = 0;
  const deps: PrivacyPart & LiveCallReadPart & AuditPart & Pick<DiallingPlace, 'region'> & Pick<Platform, 'clock'> = {
    region: 'CN' as const,
    persons: {
      findKeys: async key => [key],
      findCalls: async () => (taken >= callsAt ? null : { attempts: [], agentCalls: [] }),
      async erase() {
        await clock.pass(sliceMs);
        taken += 1;
        return { ...NOTHING, attempts: taken <= slices ? 200 : 0 };
      },
      endConsents: () => Promise.resolve(),
      removeLists: () => Promise.resolve(),
      maskAuditRows: () => Promise.resolve({ masked: 1, next: null }),
    },
    policyNumbers: { take: () => Promise.resolve([]) },
    heldTexts: { eraseNumber: () => Promise.resolve() },
    liveCalls: { read: () => Promise.resolve([]) },
    callStore: { remove: () => Promise.resolve() },
    agentCallStore: { remove: () => Promise.resolve() },
    audit: { record: row => Promise.resolve(void rows.push(row)) },
    clock,
  };
  return { rows, erase: () => erasePerson(deps, systemCaller('trace'), NUMBER) };
}

test('erasure continues until nothing is left, then masks the audit rows', async () => {
  const { erase, rows } = person({ slices: 3, sliceMs: 1_000 });
  const done = { ...NOTHING, attempts: 600, auditRows: 1 };
  expect(await erase()).toEqual({ erased: done, remaining: false });
  expect(rows).toMatchObject([{ action: 'person.erased', targetId: '***8000', detail: { ...done, remaining: false } }]);
});

test('erasure stops at the time limit and reports that more remains', async () => {
  const { erase, rows } = person({ slices: 1_000, sliceMs: 10_000 });
  expect(await erase()).toEqual({ erased: { ...NOTHING, attempts: 400 }, remaining: true });
  expect(rows).toMatchObject([{ detail: { attempts: 400, remaining: true } }]);
});

test('erasure interrupted by a call records what was erased until then [D3.7]', async () => {
  const { erase, rows } = person({ slices: 5, sliceMs: 1_000, callsAt: 2 });
  await expect(erase()).rejects.toMatchObject({ code: 'CONFLICT' });
  expect(rows).toMatchObject([{ action: 'person.erased', detail: { attempts: 400, remaining: true } }]);
});
