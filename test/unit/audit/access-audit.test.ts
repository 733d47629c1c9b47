import { expect, test } from '@jest/globals';
import { anonymousCaller } from '#kernel/caller.ts';
import { createAccessAudit } from '#audit/access-audit.ts';
import { silentLog } from '#kernel/log.ts';
import type { AuditStore } from '#audit/audit.ts';
import { manualClock } from '#test/support/manual-clock.ts';

const caller = anonymousCaller({ ip: '192.0.2.1', traceId: 't' });
const entry = { action: 'transcript.read', targetType: 'attempt', targetId: 1, summary: '查看通话转写' } as const;

function failing() {
  const away = () => Promise.reject(new Error('the database is away'));
  const audit: AuditStore = { record: away, recordOnce: away, open: away, close: away };
  const errors: string[] = [];
  const log = { ...silentLog, error: (fields: object, message: string) => void errors.push(`${JSON.stringify(fields)} ${message}`) };
  return { audits: createAccessAudit({ audit, clock: manualClock(), log }), errors };
}

test('a failed audit write does not fail the read, but is logged as an error [D3.7]', async () => {
  const { audits, errors } = failing();
  await audits.read(caller, entry);
  await audits.note(caller, entry);
  expect(errors).toEqual([1, 2].map(() => expect.stringContaining('"action":"transcript.read"')));
});

test('a failed audit write at the end of a watch is logged once [D3.7]', async () => {
  const { audits, errors } = failing();
  const end = audits.watch(caller, { ...entry, action: 'call.watched' });
  end();
  end();
  await audits.settle();
  expect(errors).toHaveLength(1);
});

test('settle waits for the end of a watch, which records the details passed first [D3.7]', async () => {
  const closed: unknown[] = [];
  const audit = {
    open: async () => 7,
    close: async (id: number, detail: object) => void closed.push([id, detail]),
  } as unknown as AuditStore;
  const audits = createAccessAudit({ audit, clock: manualClock(), log: silentLog });
  const end = audits.watch(caller, { ...entry, action: 'call.watched' });
  end({ calls: ['a'] });
  end();
  await audits.settle();
  expect(closed).toEqual([[7, { calls: ['a'], to: expect.stringMatching(/Z$/) }]]);
});

test('repeated reads query the database once a minute per target [D3.7]', async () => {
  const clock = manualClock();
  const asked: (string | null)[] = [];
  const audit = { recordOnce: async ({ targetId }: { targetId: string | null }) => void asked.push(targetId) } as unknown as AuditStore;
  const audits = createAccessAudit({ audit, clock, log: silentLog });
  for (let second = 0; second < 90; second++) {
    await audits.read(caller, entry);
    await clock.pass(1_000);
  }
  await audits.read(caller, { ...entry, targetId: 2 });
  expect(asked).toEqual(['1', '1', '2']);
});
