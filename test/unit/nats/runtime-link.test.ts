import { describe, expect, test } from '@jest/globals';
import { TimeoutError } from '@nats-io/transport-node';
import { natsRuntimeLink } from '#adapters/nats/signals.ts';
import type { Bus } from '#ports/bus.ts';

const link = (answer: unknown) => natsRuntimeLink({ isConnected: () => true, request: async () => answer } as unknown as Bus);

describe('a command to the runtime [A4]', () => {
  test.each([[{ ok: true }], [{ ok: true, runtimeId: 'runtime-1', more: 1 }]])('%j takes it', async answer => {
    await expect(link(answer).command('r', 'hangup', {})).resolves.toBeUndefined();
  });

  // Taken for a yes, such a call would talk to nobody until its customer hangs up.
  test.each([[undefined], [null], [[]], ['ok'], [{}], [{ ok: 'yes' }], [{ accepted: true }], [{ ok: false }]])(
    '%j is no answer: asked again',
    async answer => {
      await expect(link(answer).command('r', 'hangup', {})).rejects.toMatchObject({
        code: 'BUS_UNAVAILABLE',
        message: '话术运行时对 hangup 的应答不是 CommandAnswer',
      });
    },
  );

  test('a refusal says what was refused and why', async () => {
    const refused = { ok: false, code: 'BUSY', msg: '通话已满' };
    await expect(link(refused).command('r', 'hangup', {})).rejects.toMatchObject({
      code: 'BUS_UNAVAILABLE',
      message: '话术运行时未接受 hangup：BUSY',
    });
  });
});

describe('an offer of an answered call [I9]', () => {
  test.each([
    [{ ok: true }, 'accepted'],
    [{ ok: false, code: 'BUSY', msg: '' }, 'declined'],
    [{ ok: false, code: 'INVALID', msg: '' }, 'refused'],
    // An answer that nobody understands is this runtime's alone.
    [{ ok: false, code: 'TEAPOT', msg: '' }, 'declined'],
    ['ok', 'declined'],
    [null, 'declined'],
  ])('%j is %s', async (answer, outcome) => {
    await expect(link(answer).start('runtime-1', 'r', {})).resolves.toBe(outcome);
  });

  test('goes to the runtime itself, or to whoever listens', async () => {
    const subjects: string[] = [];
    const bus = { isConnected: () => true, request: async (subject: string) => void subjects.push(subject) } as unknown as Bus;
    await natsRuntimeLink(bus).start('runtime-1', 'r', {});
    await natsRuntimeLink(bus).start(null, 'r', {});
    expect(subjects).toEqual(['callout.v1.runtime-pool.runtime-1.start', 'callout.v1.command.r.start']);
  });

  test('silence is a refusal', async () => {
    const bus = { isConnected: () => true, request: () => Promise.reject(new Error('nobody')) } as unknown as Bus;
    await expect(natsRuntimeLink(bus).start('runtime-1', 'r', {})).resolves.toBe('declined');
  });
});

describe('who takes calls without having registered', () => {
  const asking = (isConnected: boolean, request: () => Promise<unknown>) =>
    natsRuntimeLink({ isConnected: () => isConnected, request } as unknown as Bus).listens();

  test('somebody, when the probe is answered, refused or ignored', async () => {
    await expect(asking(true, async () => ({ ok: false }))).resolves.toBe(true);
    await expect(asking(true, () => Promise.reject(new Error('late', { cause: new TimeoutError() })))).resolves.toBe(true);
  });

  test('nobody, when the bus says so; not known while it is away', async () => {
    await expect(asking(true, () => Promise.reject(new Error('nobody')))).resolves.toBe(false);
    await expect(asking(false, async () => null)).resolves.toBeNull();
  });
});
