import { expect, test } from '@jest/globals';
import { systemIds } from '#kernel/ids.ts';
import type { ConferenceApp } from '#conferences/conference-actor.ts';
import { handleConferenceEvent } from '#conferences/switch-events.ts';
import type { SwitchEvent } from '#platform/freeswitch/switch.ts';
import { dispatchedCallUuid } from '#platform/freeswitch/channel-uuid.ts';

type ChannelKind = 'channel_created' | 'answered' | 'hung_up';

/** Store queries that this event of the channel causes. */
async function asked(requestId: string, kind: ChannelKind): Promise<string[]> {
  const questions: string[] = [];
  const asks = (question: string) => async () => {
    questions.push(question);
    return null;
  };
  const conferences = { findByLeg: asks('leg'), findByCustomer: asks('customer') };
  const event = { kind, requestId, cellId: 'cell-1', eventId: 'e', at: 1, cause: 'NORMAL_CLEARING', by: null, answeredAt: 1 };
  await handleConferenceEvent({ conferences } as unknown as ConferenceApp, event as SwitchEvent);
  return questions;
}

test("events of a campaign's call look up no leg; its hang-up looks up the conference that it may have left", async () => {
  const call = dispatchedCallUuid(systemIds());
  expect(await asked(call, 'channel_created')).toEqual([]);
  expect(await asked(call, 'answered')).toEqual([]);
  expect(await asked(call, 'hung_up')).toEqual(['customer']);
});

test('events of any other channel look up a leg', async () => {
  expect(await asked(systemIds(), 'answered')).toEqual(['leg']);
});
