import { expect, test } from '@jest/globals';
import { systemIds } from '#kernel/ids.ts';
import {
  agentLegUuid,
  agentOfLeg,
  customerLegUuid,
  dispatchedCallUuid,
  isCustomerLeg,
  isDispatchedCall,
} from '#platform/freeswitch/channel-uuid.ts';

test('a UUID shows unambiguously what kind of channel it belongs to', () => {
  const uuids = [agentLegUuid(7, systemIds()), customerLegUuid(systemIds()), dispatchedCallUuid(systemIds()), systemIds()];
  expect(uuids.map(agentOfLeg)).toEqual([7, null, null, null]);
  expect(uuids.map(isCustomerLeg)).toEqual([false, true, false, false]);
  expect(uuids.map(isDispatchedCall)).toEqual([false, false, true, false]);
});
