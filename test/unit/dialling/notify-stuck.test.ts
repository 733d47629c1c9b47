import { only } from '#test/support/only.ts';
import { RUNTIME_CARE } from '#protocol/runtime-care.ts';
import { expect, test } from '@jest/globals';
import { isStuck, notifyStuck } from '#dialling/reconciler.ts';
import type { OpenAttempt } from '#outcomes/outcome-store.ts';
import type { NewRuntimeEvent, RuntimeEventStore } from '#runtime-events/runtime-event-store.ts';

const GRACE_MS = 60_000;

const attempt = (id: number, change: Partial<OpenAttempt> = {}): OpenAttempt => ({
  id,
  requestId: `request-${id}`,
  campaignId: 7,
  contactId: id,
  lineId: 1,
  callerNumber: null,
  cellId: 'slow',
  status: 'accepted',
  claimedAgoMs: 200_000,
  dialingAgoMs: 200_000,
  answeredAt: null,
  heardRuntime: null,
  unheardMs: null,
  hasResult: false,
  ...change,
});

/** Cells ring for 30 s, `slow` for 100 s. */
function watching(open: { attempts: OpenAttempt[] }) {
  const events: NewRuntimeEvent[] = [];
  const record: RuntimeEventStore['record'] = async event => {
    events.push(event);
    // The caller ignores the return value.
    return undefined as never;
  };
  const told = new Set<number>();
  const settings = {
    graceMs: 0,
    resultGraceMs: GRACE_MS,
    care: RUNTIME_CARE,
    runtime: 'nats' as const,
    originateTimeoutSeconds: (cellId: string) => (cellId === 'slow' ? 100 : 5),
  };
  const stuck = () => open.attempts.filter(each => isStuck(settings, each));
  return { events, told, round: () => notifyStuck({ events: only<RuntimeEventStore>({ record }) }, stuck(), told) };
}

test('a call that neither was answered nor ended within the longest possible time is reported with its attempt [D14.3]', async () => {
  const watch = watching({ attempts: [attempt(1)] });
  await watch.round();
  expect(watch.events).toEqual([
    expect.objectContaining({
      level: 'warning',
      type: 'call.stuck',
      campaignId: 7,
      attemptId: 1,
      cellId: 'slow',
      dedupeKey: 'stuck:request-1',
    }),
  ]);
});

test('calls that are answered, may still ring or may still get their result are not reported [D14.3, D7.8]', async () => {
  const attempts = [
    attempt(1, { status: 'answered' }),
    attempt(2, { claimedAgoMs: 100_000 + GRACE_MS }),
    attempt(3, { cellId: 'quick', claimedAgoMs: 30_000 + GRACE_MS }),
    attempt(4, { cellId: null, claimedAgoMs: 30_000 + GRACE_MS }),
  ];
  const watch = watching({ attempts });
  await watch.round();
  expect(watch.events).toEqual([]);
});

test('a stuck call is reported once, and forgotten when it is closed', async () => {
  const open = { attempts: [attempt(1), attempt(2)] };
  const watch = watching(open);
  await watch.round();
  await watch.round();
  expect(watch.events.map(({ attemptId }) => attemptId)).toEqual([1, 2]);
  open.attempts = [attempt(2)];
  await watch.round();
  expect([...watch.told]).toEqual([2]);
});

test('many calls stuck in an outage are reported over several rounds', async () => {
  const watch = watching({ attempts: Array.from({ length: 120 }, (_, index) => attempt(index + 1)) });
  await watch.round();
  expect(watch.events).toHaveLength(50);
  await watch.round();
  await watch.round();
  expect(new Set(watch.events.map(({ attemptId }) => attemptId)).size).toBe(120);
});
