import { describe, expect, test } from '@jest/globals';
import { natsRuntimeLink } from '#adapters/nats/signals.ts';
import type { Bus } from '#ports/bus.ts';

const link = (answer: unknown) => natsRuntimeLink({ isConnected: () => true, request: async () => answer } as unknown as Bus);

describe('a command to the runtime [A4]', () => {
  test.each([[{ ok: true }], [{ ok: true, runtimeId: 'runtime-1', more: 1 }]])('%j takes it', async answer => {
    await expect(link(answer).command('r', 'start', {})).resolves.toBeUndefined();
  });

  // Taken for a yes, such a call would talk to nobody until its customer hangs up.
  test.each([[undefined], [null], [[]], ['ok'], [{}], [{ ok: 'yes' }], [{ accepted: true }], [{ ok: false }]])(
    '%j is no answer: asked again',
    async answer => {
      await expect(link(answer).command('r', 'start', {})).rejects.toMatchObject({
        code: 'BUS_UNAVAILABLE',
        message: '话术运行时对 start 的应答不是 CommandAnswer',
      });
    },
  );

  test('a refusal says what was refused and why', async () => {
    const refused = { ok: false, code: 'BUSY', msg: '通话已满' };
    await expect(link(refused).command('r', 'start', {})).rejects.toMatchObject({
      code: 'BUS_UNAVAILABLE',
      message: '话术运行时未接受 start：BUSY',
    });
  });
});
