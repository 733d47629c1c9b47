import { expect, test } from '@jest/globals';
import { CalloutError } from '#kernel/errors.ts';
import { silentLog } from '#kernel/log.ts';
import type { ConferenceDeps } from '#operations/conferences/deps.ts';
import { dialLeg, extensionTarget } from '#operations/conferences/dial-leg.ts';
import type { ConferenceLeg, ConferenceSession } from '#ports/conference-store.ts';
import { manualClock } from '#test/support/manual-clock.ts';

const CUSTOMER = 'customer';
const SESSION = { id: 1, cellId: 'cell-1', conferenceName: 'callout-1', customerUuid: CUSTOMER, legs: [] } as unknown as ConferenceSession;
const LEG = { softphoneCallId: 2, legUuid: 'leg', mode: 'consult', agentId: 3, fence: 'leg', canSpeak: true, holdsSlot: false };

/** Writes down what is done, in order. `mute` is what the switch answers to it. */
function rig({ mute = async () => 'done', isCustomerIn = true }: { mute?: () => Promise<string>; isCustomerIn?: boolean } = {}) {
  const done: string[] = [];
  const note = <T>(what: string, answer: T) => {
    done.push(what);
    return Promise.resolve(answer);
  };
  const deps = {
    clock: manualClock(),
    log: silentLog,
    conferenceSettings: { sendDeadlineMs: 2_000, ringTimeoutSeconds: 20, profileOf: () => 'default' },
    conferences: {
      setCustomerState: (_: number, state: string) => note(`row ${state}`, undefined),
      markDialing: () => note('mark', true),
      legEnded: () => note('leg ended', true),
    },
    reservations: { release: () => note('agent free', true) },
    rooms: {
      members: async () => (isCustomerIn ? [{ channelUuid: CUSTOMER, memberId: 7 }] : []),
      change: (_cell: string, _name: string, _member: number, action: string) => (action === 'mute' ? mute() : note(action, 'done')),
    },
    slots: { permit: async (asks: { requestId: string }[]) => asks.map(ask => ({ ...ask, outcome: 'booked', waitMs: 0, lateMs: 20 })) },
    switchPort: {
      cells: () => [{ cellId: 'cell-1', maxOriginatesPerSecond: 30 }],
      originate: () => note('originate', { kind: 'accepted', replyText: '+OK' }),
    },
  };
  const dial = () => dialLeg(deps as unknown as ConferenceDeps, SESSION, LEG as unknown as ConferenceLeg, extensionTarget('1001'));
  return { done, dial };
}

test('nobody is called about a customer who still listens: deaf and mute first [D12.6]', async () => {
  const { done, dial } = rig();
  expect(await dial()).toBe(true);
  expect(done).toEqual(['row aside', 'deaf', 'mark', 'originate']);
});

test('a switch that does not mute the customer: nobody is called, and the one who was asked is free [D12.6]', async () => {
  const { done, dial } = rig({ mute: () => Promise.reject(new CalloutError('SWITCH_UNAVAILABLE', '交换机无应答')) });
  await expect(dial()).rejects.toMatchObject({ code: 'SWITCH_UNAVAILABLE' });
  expect(done).toEqual(['row aside', 'deaf', 'leg ended', 'agent free']);
});

test('a customer who is not in the conference cannot be kept from a consultation: 409 [D12.6]', async () => {
  const { done, dial } = rig({ isCustomerIn: false });
  await expect(dial()).rejects.toMatchObject({ code: 'CONFLICT' });
  expect(done).toEqual(['row aside', 'leg ended', 'agent free']);
});
