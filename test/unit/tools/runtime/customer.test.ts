import { describe, expect, test } from '@jest/globals';
import { assert, constantFrom, integer, property } from 'fast-check';
import { seededRandom } from '#kernel/random.ts';
import { person, promptKind } from '#tools/runtime/customer/person.ts';
import { PERSONAS } from '#tools/runtime/customer/personas.ts';
import { pickCustomer } from '#tools/runtime/customer/pick-customer.ts';
import { UTTERANCES } from '#tools/runtime/customer/utterances.ts';
import { voicemail } from '#tools/runtime/customer/voicemail.ts';
import { isMailboxGreeting } from '#tools/runtime/mailbox-greeting.ts';
import { wantsNoMoreCalls } from '#tools/runtime/opt-out.ts';
import { anOffer } from './builders.ts';

const PROMPTS = [
  '方便给您介绍一下吗？',
  '请问什么时间方便？',
  '请问您是王小明本人吗？',
  '您对服务满意吗？',
  '家里有几个人？',
  '合约一年。',
];
const idOf = (number: number) => `5f0c2c1e-9c3b-4a5e-8f6d-${String(number).padStart(12, '0')}`;

describe('a simulated customer', () => {
  test('is the same for the same call and seed, and another one for another call', () => {
    const talk = (requestId: string, seed: number) => {
      const customer = pickCustomer(anOffer({ requestId }), { seed, voicemailRate: 0 });
      return JSON.stringify([customer.greet(), ...PROMPTS.map(prompt => customer.reply(prompt))]);
    };
    expect(talk(idOf(1), 5)).toBe(talk(idOf(1), 5));
    const different = new Set(Array.from({ length: 50 }, (_, index) => talk(idOf(index), 5)));
    expect(different.size).toBeGreaterThan(45);
  });

  test('has each persona about as often as its share', () => {
    const refusals = Array.from({ length: 2_000 }, (_, index) => {
      const customer = pickCustomer(anOffer({ requestId: idOf(index) }), { seed: 1, voicemailRate: 0 });
      return customer.reply('方便给您介绍一下吗？')?.text ?? '';
    });
    const agreed = refusals.filter(text => UTTERANCES.agree.some(line => text.endsWith(line))).length / refusals.length;
    expect(agreed).toBeGreaterThan(0.1);
    expect(agreed).toBeLessThan(0.4);
  });

  test('speaks and thinks at a realistic pace, and fills every placeholder', () => {
    assert(
      property(integer(), constantFrom(...PERSONAS), constantFrom(...PROMPTS), (seed, persona, prompt) => {
        const reply = person(seededRandom(seed), persona).reply(prompt);
        if (reply === null) return;
        expect(reply.text).not.toMatch(/[{}]/);
        expect(reply.thinkMs).toBeGreaterThanOrEqual(persona.thinkMs[0]);
        expect(reply.thinkMs).toBeLessThanOrEqual(persona.thinkMs[1]);
        expect(reply.speechMs / reply.text.length).toBe(persona.msPerCharacter);
      }),
    );
  });

  test.each([
    ['请问什么时间方便我们的专员联系您？', 'time'],
    ['请问您是王小明先生吗？', 'identity'],
    ['您对这次服务满意吗？', 'rating'],
    ['您家里有几口人？', 'count'],
    ['那您看要不要给您留一个名额？', 'offer'],
    ['老客户续约每月减二十元。', 'statement'],
  ] as const)('recognises the kind of question: %s', (prompt, kind) => {
    expect(promptKind(prompt)).toBe(kind);
  });
});

describe('what a runtime recognises', () => {
  test('every opt-out request is recognised [D7.7]', () => {
    expect(UTTERANCES.doNotCall.filter(text => !wantsNoMoreCalls(text))).toEqual([]);
  });

  test('no other utterance is taken for one', () => {
    const others = Object.entries(UTTERANCES).flatMap(([act, lines]) => (act === 'doNotCall' ? [] : lines));
    expect(others.filter(wantsNoMoreCalls)).toEqual([]);
    expect(['改天再打给我吧', '别着急，你慢慢说', '你打电话来挺好的'].filter(wantsNoMoreCalls)).toEqual([]);
  });

  test("every voicemail greeting is recognised by its first words, and no customer's", () => {
    assert(property(integer(), seed => isMailboxGreeting(voicemail(seededRandom(seed)).greet()?.text ?? '')));
    expect(UTTERANCES.greet.filter(isMailboxGreeting)).toEqual([]);
  });

  test('the callee chosen by the simulated switch is the one that answers', () => {
    const told = (callee: string) =>
      pickCustomer(anOffer({ metadata: { callout_simulated_callee: callee } }), { seed: 1, voicemailRate: callee === 'person' ? 1 : 0 });
    expect(told('voicemail').reply('您好？')).toBeNull();
    expect(isMailboxGreeting(told('voicemail').greet()?.text ?? '')).toBe(true);
    expect(isMailboxGreeting(told('person').greet()?.text ?? '')).toBe(false);
  });
});
