import { expect, test } from '@jest/globals';
import { CalloutError } from '#kernel/errors.ts';
import { systemIds } from '#kernel/ids.ts';
import { silentLog } from '#kernel/log.ts';
import { callPhone } from '#conferences/call-in.ts';
import type { ConferenceSession } from '#conferences/conference.ts';
import type { Committed } from '#platform/actor-host/actor-host.ts';
import type { OriginateCommand } from '#platform/freeswitch/switch.ts';
import { conferenceInMemory } from '#test/support/conference-host.ts';
import { manualClock } from '#test/support/manual-clock.ts';

const CUSTOMER = 'customer';
const LEG = {
  conferenceId: 1,
  softphoneCallId: 2,
  legUuid: 'leg',
  status: 'reserved',
  mode: 'consult',
  agentId: 3,
  fence: 'leg',
  canSpeak: true,
  targetNumber: '1001',
  holdsSlot: false,
};
const SESSION = {
  id: 1,
  kind: 'transfer',
  status: 'live',
  customerState: 'inside',
  cellId: 'cell-1',
  conferenceName: 'callout-1',
  customerUuid: CUSTOMER,
  requestId: 'request',
  legs: [LEG],
} as unknown as ConferenceSession;

/** Records the actions in order. `mute`: the switch's reply to muting. */
function rig({
  mute = async () => 'done',
  isCustomerIn = true,
  realm = 'phones.example.com',
  sipRealm = '',
}: {
  mute?: () => Promise<string>;
  isCustomerIn?: boolean;
  realm?: string | null;
  sipRealm?: string;
} = {}) {
  const done: string[] = [];
  const dialled: string[] = [];
  const note = <T>(what: string, answer: T) => {
    done.push(what);
    return Promise.resolve(answer);
  };
  const parts = {
    clock: manualClock(),
    log: silentLog,
    ids: systemIds,
    sendDeadlineMs: 2_000,
    conferenceSettings: { ringTimeoutSeconds: 20, profileOf: () => 'default' },
    conferences: {
      findCall: async () => ({ phoneNumber: '13800138000' }),
      addLeg: async () => LEG,
    },
    agentDirectory: { find: async () => ({ agentId: 3, userId: null, phoneExtension: '1001' }) },
    agentReservations: { reserve: async () => ({ agentId: 3, fence: 'leg' }), release: () => note('agent free', true) },
    rooms: {
      members: async () => (isCustomerIn ? [{ channelUuid: CUSTOMER, memberId: 7 }] : []),
      change: (_cell: string, _name: string, _member: number, action: string) => (action === 'mute' ? mute() : note(action, 'done')),
    },
    slots: { permit: async (asks: { requestId: string }[]) => asks.map(ask => ({ ...ask, outcome: 'booked', waitMs: 0, lateMs: 20 })) },
    switchPort: {
      cells: () => [{ cellId: 'cell-1', maxOriginatesPerSecond: 30 }],
      originate: ({ dialStringTemplate }: OriginateCommand) => {
        dialled.push(dialStringTemplate);
        return note('originate', { kind: 'accepted', replyText: '+OK' });
      },
    },
    phoneRegistry: { locate: () => (realm === null ? null : { cellId: 'cell-1', realm }) },
    sipSettings: { sipRealm },
  };
  const agent = { choices: [{ holder: 'conference:1:a', agentId: 3 }] };
  const leg = { role: 'agent', mode: 'consult', askedByCallId: 1, canSpeak: true, userId: null } as const;
  const committed = (_id: string, { before, state }: Committed<ConferenceSession>) => {
    if (before === null) return;
    const status = state.legs[0]?.status;
    if (status === before.legs[0]?.status) done.push(`row ${state.customerState}`);
    else done.push(status === 'dialing' ? 'mark' : `leg ${status}`);
  };
  const dial = async () => {
    const { app } = await conferenceInMemory(SESSION, parts, { committed });
    const placed = await callPhone(app, SESSION, { agent, leg });
    await app.conferenceHost.idle();
    return placed?.isSent;
  };
  return { done, dial, dialled };
}

test('the customer is deafened and muted before another agent is called [D12.6]', async () => {
  const { done, dial } = rig();
  expect(await dial()).toBe(true);
  expect(done).toEqual(['row aside', 'deaf', 'mark', 'originate']);
});

test.each([
  ['the domain of its registration', { realm: 'phones.example.com', sipRealm: 'other' }, 'user/{{destinationNumber}}@phones.example.com'],
  ['the configured domain when its registration names none', { realm: '', sipRealm: 'callout' }, 'user/{{destinationNumber}}@callout'],
  ['the configured domain when its registration is unknown', { realm: null, sipRealm: 'callout' }, 'user/{{destinationNumber}}@callout'],
])('a phone is called at %s', async (_what, domains, template) => {
  const { dialled, dial } = rig(domains);
  expect(await dial()).toBe(true);
  expect(dialled).toEqual([template]);
});

test('a phone without any domain is not called, because the switch could not resolve its name [test/fixtures/esl/README.md §1a]', async () => {
  const { done, dial } = rig({ realm: null });
  expect(await dial()).toBe(false);
  expect(done).toEqual(['leg ended', 'agent free']);
});

test('if the switch does not mute the customer, no agent is called and the consulted agent becomes free [D12.6]', async () => {
  const { done, dial } = rig({ mute: () => Promise.reject(new CalloutError('SWITCH_UNAVAILABLE', '交换机无应答')) });
  await expect(dial()).rejects.toMatchObject({ code: 'SWITCH_UNAVAILABLE' });
  expect(done).toEqual(['row aside', 'deaf', 'leg ended', 'agent free']);
});

test('a customer who is not in the conference cannot be put aside: 409 [D12.6]', async () => {
  const { done, dial } = rig({ isCustomerIn: false });
  await expect(dial()).rejects.toMatchObject({ code: 'CONFLICT' });
  expect(done).toEqual(['row aside', 'leg ended', 'agent free']);
});
