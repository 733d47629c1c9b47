import { expect, test } from '@jest/globals';
import type { ConferenceLeg, ConferenceSession } from '#conferences/conference.ts';
import { reportLegs } from '#conferences/report-legs.ts';
import type { Envelope } from '#protocol/actor-messages.ts';
import { manualClock } from '#test/support/manual-clock.ts';

const leg = (agentId: number | null, parts: Partial<ConferenceLeg> = {}) =>
  ({
    legUuid: `leg-${agentId}`,
    agentId,
    userId: agentId,
    status: 'joined',
    joinedAt: 5,
    endedAt: null,
    endCause: null,
    ...parts,
  }) as ConferenceLeg;

async function reported(session: Partial<ConferenceSession>): Promise<Envelope[]> {
  const sent: Envelope[] = [];
  const actors = {
    send: (envelope: Envelope) => {
      sent.push(envelope);
      return Promise.resolve('applied' as const);
    },
  };
  await reportLegs({ actors, clock: manualClock() }, { id: 1, requestId: 'a', ...session } as ConferenceSession, 'x');
  return sent;
}

test('the customer’s call learns of our people, who is gone, and who has handed the customer on [D9.7]', async () => {
  const ended = { status: 'ended', endedAt: 9 } as const;
  const legs = [
    leg(1, { ...ended, endCause: 'ATTENDED_TRANSFER' }),
    leg(2, { ...ended, endCause: 'HANDED_BACK' }),
    leg(3, { ...ended, endCause: 'NORMAL_CLEARING' }),
    leg(4, { status: 'ringing', joinedAt: null }),
    leg(null),
  ];
  const [sent] = await reported({ legs });
  expect(sent?.to).toEqual({ type: 'call', id: 'a' });
  expect(sent?.event).toEqual({
    type: 'legsReported',
    people: [
      { legUuid: 'leg-1', agentId: 1, userId: 1, joinedAt: 5, leftAt: 9, hasHandedOver: true },
      { legUuid: 'leg-2', agentId: 2, userId: 2, joinedAt: 5, leftAt: 9, hasHandedOver: true },
      { legUuid: 'leg-3', agentId: 3, userId: 3, joinedAt: 5, leftAt: 9, hasHandedOver: false },
      { legUuid: 'leg-4', agentId: 4, userId: 4, joinedAt: null, leftAt: null, hasHandedOver: false },
    ],
  });
});

test('a conference without a campaign’s call, or without our people, reports nothing', async () => {
  expect(await reported({ requestId: null, legs: [leg(1)] })).toEqual([]);
  expect(await reported({ legs: [leg(null)] })).toEqual([]);
});
