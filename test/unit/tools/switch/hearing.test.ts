import { describe, expect, test } from '@jest/globals';
import type { Channel } from '#tools/switch/channel.ts';
import { type HearingSide, hearingOf } from '#tools/switch/hearing.ts';

const channel = (uuid: string, variables: Record<string, string>, running: { name: string; data: string } | null = null) =>
  ({
    uuid,
    variables: new Map(Object.entries(variables)),
    running,
    application: '&park()',
    answeredAt: 1,
    progressAt: 1,
  }) as unknown as Channel;

function heard(customer: Record<string, string>, listener: Record<string, string>): Record<string, readonly string[]> {
  const all = [channel('customer', customer), channel('listener', listener, { name: 'eavesdrop', data: 'customer' })];
  const side: HearingSide = {
    channels: new Map(all.map(each => [each.uuid, each])),
    bridges: { partnerOf: () => null },
    conferences: { heardBy: () => [], placeOf: () => null },
  };
  const by = (uuid: string) => hearingOf(side, { isHeld: () => false }, uuid).others;
  return { customer: by('customer'), listener: by('listener') };
}

describe('a phone that follows a call which only the bot has', () => {
  const ACTIVE = { send_silence_when_idle: '-1' };

  test('hears the customer, who hears it only when it barges in', () => {
    expect(heard(ACTIVE, { eavesdrop_whisper_bleg: 'false' })).toEqual({ customer: [], listener: ['customer'] });
    expect(heard(ACTIVE, { eavesdrop_whisper_bleg: 'true' })).toEqual({ customer: ['listener'], listener: ['customer'] });
  });

  // A real switch mixes a barging voice into the audio that the customer is sent.
  test('is not heard by a customer while the switch sends them nothing', () => {
    expect(heard({}, { eavesdrop_whisper_bleg: 'true' })).toEqual({ customer: [], listener: ['customer'] });
  });
});
