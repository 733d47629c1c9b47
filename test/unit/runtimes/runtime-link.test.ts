import { describe, expect, test } from '@jest/globals';
import { TimeoutError } from '@nats-io/transport-node';
import type { Bus } from '#platform/nats/bus.ts';
import { natsRuntimeLink } from '#runtimes/nats-runtime-link.ts';

let now = 1_000;
let tell: (isConnected: boolean) => void = () => undefined;
const linkOver = (bus: object) => {
  const whole = { isConnected: () => true, onChange: (listener: typeof tell) => (tell = listener), ...bus };
  return natsRuntimeLink(whole as unknown as Bus, { now: () => now });
};
const link = (answer: unknown) => linkOver({ request: async () => answer });

test('the bus returns anew each time that it was away', () => {
  const runtime = link(null);
  const seen = [runtime.reachableSince()];
  tell(false);
  seen.push(runtime.reachableSince());
  now = 2_000;
  tell(true);
  now = 3_000;
  expect([...seen, runtime.reachableSince()]).toEqual([0, null, 2_000]);
});

describe('a command to the runtime [A4]', () => {
  test.each([[{ ok: true }], [{ ok: true, runtimeId: 'runtime-1', more: 1 }]])('the reply %j accepts it', async answer => {
    await expect(link(answer).command('r', 'hangup', {})).resolves.toBeUndefined();
  });

  // If such a reply counted as accepted, the customer would hear only silence until hanging up.
  test.each([[undefined], [null], [[]], ['ok'], [{}], [{ ok: 'yes' }], [{ accepted: true }], [{ ok: false }]])(
    '%j is not a valid reply, so the command is retried',
    async answer => {
      await expect(link(answer).command('r', 'hangup', {})).rejects.toMatchObject({
        code: 'BUS_UNAVAILABLE',
        message: '话术引擎对 hangup 的应答不是 CommandAnswer',
      });
    },
  );

  test('a refusal names the command and the reason', async () => {
    const refused = { ok: false, code: 'BUSY', msg: '通话已满' };
    await expect(link(refused).command('r', 'hangup', {})).rejects.toMatchObject({
      code: 'BUS_UNAVAILABLE',
      message: '话术引擎未接受 hangup：BUSY',
    });
  });
});

describe('an offer of an answered call [I9]', () => {
  test.each([
    [{ ok: true }, 'accepted'],
    [{ ok: false, code: 'BUSY', msg: '' }, 'declined'],
    [{ ok: false, code: 'INVALID', msg: '' }, 'refused'],
    // An unknown code concerns only this runtime.
    [{ ok: false, code: 'TEAPOT', msg: '' }, 'unanswered'],
    ['ok', 'unanswered'],
    [null, 'unanswered'],
  ])('gets the reply %j: %s', async (answer, outcome) => {
    await expect(link(answer).start('runtime-1', 'r', {})).resolves.toBe(outcome);
  });

  test('goes to the runtime itself, or to any subscriber', async () => {
    const subjects: string[] = [];
    const bus = { isConnected: () => true, request: async (subject: string) => void subjects.push(subject) };
    await linkOver(bus).start('runtime-1', 'r', {});
    await linkOver(bus).start(null, 'r', {});
    expect(subjects).toEqual(['callout.v1.runtime-pool.runtime-1.start', 'callout.v1.command.r.start']);
  });

  test('without a reply counts as unanswered, not as refused', async () => {
    const bus = { isConnected: () => true, request: () => Promise.reject(new Error('nobody')) };
    await expect(linkOver(bus).start('runtime-1', 'r', {})).resolves.toBe('unanswered');
  });
});

describe('a runtime that takes calls without having registered', () => {
  const asking = (isConnected: boolean, request: () => Promise<unknown>) => linkOver({ isConnected: () => isConnected, request }).listens();

  test('exists if the probe is refused as the contract requires, or accepted by a runtime that identifies itself', async () => {
    await expect(asking(true, async () => ({ ok: false, code: 'INVALID', msg: '' }))).resolves.toBe(true);
    await expect(asking(true, async () => ({ ok: true, runtimeId: 'older' }))).resolves.toBe(true);
  });

  test('does not exist if a subscriber does not reply, or replies with something invalid', async () => {
    await expect(asking(true, () => Promise.reject(new Error('late', { cause: new TimeoutError() })))).resolves.toBe(false);
    for (const answer of [{ ok: false }, { ok: true }, 'ok', null]) await expect(asking(true, async () => answer)).resolves.toBe(false);
  });

  test("and a silent subscriber is no evidence that a call's commands have a subscriber", async () => {
    const silent = { isConnected: () => true, request: () => Promise.reject(new Error('late', { cause: new TimeoutError() })) };
    await expect(linkOver(silent).hears('r')).resolves.toBeNull();
  });

  test('does not exist if the bus reports no subscriber, and is unknown while the bus is unavailable', async () => {
    await expect(asking(true, () => Promise.reject(new Error('nobody')))).resolves.toBe(false);
    await expect(asking(false, async () => null)).resolves.toBeNull();
  });
});

test.each([
  ['answers', async () => ({ ok: false, code: 'INVALID', msg: '' })],
  ['silent', async () => ({ ok: true })],
  ['silent', () => Promise.reject(new Error('late', { cause: new TimeoutError() }))],
  ['absent', () => Promise.reject(new Error('nobody'))],
] as const)('the probe of a registered runtime gives "%s"', async (expected, request) => {
  const bus = { isConnected: () => true, request };
  await expect(linkOver(bus).probe('runtime-1')).resolves.toBe(expected);
});
