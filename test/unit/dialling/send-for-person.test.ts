import { only } from '#test/support/only.ts';
import { expect, test } from '@jest/globals';
import { silentLog } from '#kernel/log.ts';
import { sendForPerson } from '#dialling/send.ts';
import type { PermitAsk, PermitResult, SlotRegistry } from '#slots/slot-registry.ts';
import type { OriginateReply } from '#platform/freeswitch/switch.ts';
import { manualClock } from '../../support/manual-clock.ts';

const CELL = { cellId: 'cell-1', maxPerSecond: 30 };
const DEADLINE_MS = 2_000;

/** A cell whose next free start is `aheadMs` away; a missed booking is replaced at once. `markMs`: duration of the mark. */
function rig({ aheadMs, markMs = 0, isOurs = true }: { aheadMs: number; markMs?: number; isOurs?: boolean }) {
  const clock = manualClock();
  const began = clock.monotonic();
  const since = () => clock.monotonic() - began;
  const done: string[] = [];
  const asks: PermitAsk[] = [];
  const permit = async (asked: readonly PermitAsk[]): Promise<PermitResult[]> => {
    asks.push(...asked);
    return asked.map(({ requestId, withinMs }) => {
      const waitMs = Math.max(0, aheadMs - since());
      return waitMs > withinMs ? { requestId, outcome: 'later', waitMs } : { requestId, outcome: 'booked', waitMs, lateMs: 20 };
    });
  };
  const dial = {
    turn: { requestId: 'leg', cell: CELL },
    sendDeadlineMs: DEADLINE_MS,
    mark: async () => {
      done.push(`mark ${since()}`);
      if (markMs > 0) await new Promise<void>(resolve => void clock.schedule(markMs, resolve));
      return isOurs;
    },
    originate: async (sendBefore: number): Promise<OriginateReply> => {
      done.push(`send ${since()} before ${sendBefore - began}`);
      return { kind: 'accepted', replyText: '+OK' };
    },
  };
  return { clock, done, asks, sent: sendForPerson({ slots: only<SlotRegistry>({ permit }), clock, log: silentLog }, dial) };
}

test('a dial waits seconds for its turn, and is marked only then [D12.3, D8.6]', async () => {
  const { clock, done, asks, sent } = rig({ aheadMs: 2_500 });
  await clock.pass(2_400);
  expect(done).toEqual([]);
  await clock.pass(200);
  expect(await sent).toMatchObject({ kind: 'accepted' });
  expect(done).toEqual(['mark 2500', 'send 2500 before 2520']);
  expect(asks[0]?.cell).toEqual(CELL);
});

test("a dial whose turn is later than the agent's limit is refused with a reason and not sent", async () => {
  const { clock, done, sent } = rig({ aheadMs: 4_500 });
  await clock.pass(5_000);
  expect(await sent).toEqual({ kind: 'not_sent', reason: 'deadline', replyText: '交换机单元呼出繁忙，4 秒内未轮到，未拨出，请稍后重试' });
  expect(done).toHaveLength(1);
  expect(done[0]).toMatch(/^mark/);
});

test('a dial that misses its turn through a slow mark is booked again, but marked once and sent within the deadline of the mark [A6 step 6]', async () => {
  const { clock, done, asks, sent } = rig({ aheadMs: 100, markMs: 300 });
  await clock.pass(1_000);
  expect(await sent).toMatchObject({ kind: 'accepted' });
  expect(done).toEqual(['mark 100', 'send 400 before 420']);
  expect(asks).toHaveLength(2);
});

test('a dial that another instance owns is not sent [A6 step 5]', async () => {
  const { clock, done, sent } = rig({ aheadMs: 0, isOurs: false });
  await clock.pass(100);
  expect(await sent).toBeNull();
  expect(done).toEqual(['mark 0']);
});
