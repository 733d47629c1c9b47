import { describe, expect, test } from '@jest/globals';
import { type KeptCall, readKeptCall, reinviteHeaders } from '../../../console/phone/kept-call.ts';
import { changePhone, NO_PHONE, type PhoneEvent, type PhoneState } from '../../../console/phone/phone-state.ts';
import { MediaWatch } from '../../../console/phone/media-watch.ts';
import { countsOf, mosOf, qualityOf } from '../../../console/phone/quality.ts';
import { readSettings } from '../../../console/phone/phone-settings.ts';
import { certificateUrlOf, microphoneTrouble, pauseMs, registrationTrouble, troubleOf } from '../../../console/phone/trouble.ts';

const NOW = 1_800_000_000_000;

describe('the quality of a call', () => {
  test.each([
    ['nothing lost, no delay', { loss: 0, jitterMs: 0, roundTripMs: 0 }, 4.4],
    ['a good line', { loss: 0, jitterMs: 10, roundTripMs: 80 }, 4.4],
    ['5 % lost', { loss: 0.05, jitterMs: 10, roundTripMs: 80 }, 3.8],
    ['10 % lost', { loss: 0.1, jitterMs: 20, roundTripMs: 100 }, 3.3],
    ['a delay of a satellite', { loss: 0, jitterMs: 20, roundTripMs: 1_000 }, 2],
    ['nothing heard', { loss: 1, jitterMs: 0, roundTripMs: 0 }, 1.2],
  ])('%s', (_name, measured, mos) => {
    expect(Math.round(mosOf(measured) * 10) / 10).toBe(mos);
  });

  test('counts the packets of the interval alone; an interval without packets has no loss', () => {
    const before = { received: 900, lost: 100, jitter: 0.01, roundTrip: 0.08 };
    expect(qualityOf(before, { ...before, received: 1_050 }, null)).toMatchObject({
      loss: 0,
      jitterMs: 10,
      roundTripMs: 80,
      isPoor: false,
    });
    expect(qualityOf(before, { ...before, received: 990, lost: 110 }, null).loss).toBeCloseTo(0.1);
    expect(qualityOf(before, before, null).loss).toBe(0);
  });

  test('warns before speech is hard to understand, and stops only when it is clearly good again', () => {
    const before = { received: 0, lost: 0, jitter: 0.02, roundTrip: 0.1 };
    const after = (lost: number) => ({ ...before, received: 100 - lost, lost });
    const poor = qualityOf(before, after(8), null);
    expect(poor.isPoor).toBe(true);
    const between = qualityOf(before, after(6), poor);
    expect([between.isPoor, qualityOf(before, after(6), null).isPoor]).toEqual([true, false]);
    expect(qualityOf(before, after(0), between).isPoor).toBe(false);
  });

  test('is read from the report of the browser; the round trip also from the checks of the path', () => {
    const heard = { type: 'inbound-rtp', kind: 'audio', packetsReceived: 5, packetsLost: 1, jitter: 0.002 };
    const path = { type: 'candidate-pair', nominated: true, currentRoundTripTime: 0.02 };
    expect(countsOf([heard, path])).toEqual({ received: 5, lost: 1, jitter: 0.002, roundTrip: 0.02 });
    expect(countsOf([heard, path, { type: 'remote-inbound-rtp', roundTripTime: 0.05 }])?.roundTrip).toBe(0.05);
    expect(countsOf([path])).toBeNull();
  });
});

describe('the state of the phone', () => {
  const after = (...events: PhoneEvent[]): PhoneState => events.reduce(changePhone, NO_PHONE);
  const CALL = { type: 'begun', call: { id: 'a', direction: 'incoming', number: '13800000001', name: '' } } as const;
  const DEFERRED = { type: 'troubled', trouble: troubleOf('deferred', { status: 503, retryAt: NOW }) } as const;

  test('a call rings, is talked in, ends and leaves the bar', () => {
    const talking = after(CALL, { type: 'answered', at: NOW });
    expect(talking.call).toMatchObject({ phase: 'talking', answeredAt: NOW });
    const ended = changePhone(talking, { type: 'ended', cause: 'Terminated' });
    expect(ended.call).toMatchObject({ phase: 'ended', cause: 'Terminated' });
    expect(changePhone(ended, { type: 'changed', change: { isMuted: true } }).call?.isMuted).toBe(false);
    expect(changePhone(ended, { type: 'cleared' }).call).toBeNull();
  });

  test('a call that begins is not cleared by the one before it', () => {
    expect(after(CALL, { type: 'ended', cause: 'x' }, { ...CALL, call: { ...CALL.call, id: 'b' } }, { type: 'cleared' }).call?.id).toBe(
      'b',
    );
  });

  test('a dropped registration waits; a refused one stays refused until it succeeds', () => {
    expect(after({ type: 'registered' }, { type: 'unregistered' }).registration).toBe('waiting');
    const refused = after({ type: 'troubled', trouble: troubleOf('refused', { status: 403 }) }, { type: 'unregistered' });
    expect(refused.registration).toBe('refused');
    expect(changePhone(refused, { type: 'registered' })).toMatchObject({ registration: 'registered', troubles: [] });
  });

  test('what is wrong with the line comes before the microphone, and each is mended alone', () => {
    const both = after({ type: 'troubled', trouble: troubleOf('microphoneDenied') }, DEFERRED);
    expect(both.troubles.map(({ kind }) => kind)).toEqual(['deferred', 'microphoneDenied']);
    expect(changePhone(both, { type: 'registered' }).troubles.map(({ kind }) => kind)).toEqual(['microphoneDenied']);
    expect(changePhone(both, { type: 'mended', part: 'microphone' }).troubles.map(({ kind }) => kind)).toEqual(['deferred']);
  });

  test('a call taken back after a reload keeps its time, and is being restored', () => {
    const call = { id: 'a', direction: 'incoming', number: '1', name: '', answeredAt: NOW, isMuted: true, isHeld: false } as const;
    expect(after({ type: 'takenBack', call }).call).toMatchObject({ phase: 'talking', answeredAt: NOW, isMuted: true, isRestored: true });
  });

  test('an event that changes nothing leaves the same object, so that nothing is sent or drawn', () => {
    const state = after(CALL);
    expect(changePhone(state, { type: 'silenced', isSilenced: false })).toBe(state);
    expect(changePhone(state, { type: 'cleared' })).toBe(state);
  });
});

describe('a refused registration', () => {
  const at = { now: NOW, pauseMs: 2_000 };
  test.each([
    ['a wrong password is final', { status: 403, retryAfter: null }, { kind: 'refused', status: 403, retryAt: null }],
    ['503 waits as long as it says [D12.8]', { status: 503, retryAfter: '300' }, { kind: 'deferred', retryAt: NOW + 300_000 }],
    ['503 without a time waits the usual pause', { status: 503, retryAfter: null }, { kind: 'deferred', retryAt: NOW + 2_000 }],
    ['others are tried again', { status: 500, retryAfter: '1 (soon)' }, { kind: 'failed', retryAt: NOW + 2_000 }],
  ])('%s', (_name, answer, trouble) => {
    expect(registrationTrouble(answer, at)).toMatchObject(trouble);
  });

  test('pauses double up to a minute, half of each at random', () => {
    expect([1, 2, 3, 20].map(failures => pauseMs(failures, 0))).toEqual([2_000, 4_000, 8_000, 60_000]);
    expect([1, 20].map(failures => pauseMs(failures, 1))).toEqual([1_000, 30_000]);
  });

  test('a certificate is accepted on a page of the same address; a plain connection has none', () => {
    expect(certificateUrlOf('wss://phone.example.com:7443/sip')).toBe('https://phone.example.com:7443/');
    expect(certificateUrlOf('ws://127.0.0.1:5066')).toBeNull();
  });

  test.each([
    ['NotAllowedError', 'microphoneDenied'],
    ['NotFoundError', 'microphoneMissing'],
    ['NotReadableError', 'microphoneBusy'],
  ])('%s of the microphone is %s', (name, kind) => {
    expect(microphoneTrouble(name).kind).toBe(kind);
  });
});

describe('a call kept for the page after a reload', () => {
  const KEPT: KeptCall = {
    callId: 'call@switch',
    localTag: 'ours',
    remoteTag: 'theirs',
    localUri: 'sip:1005@callout',
    remoteUri: 'sip:13800000001@callout',
    target: 'sip:mod_sofia@127.0.0.1:5066;transport=ws',
    routes: [],
    direction: 'incoming',
    number: '13800000001',
    name: '',
    answeredAt: NOW,
    isMuted: false,
    isHeld: false,
    seenAt: NOW,
  };

  test('is taken back while the switch still has its leg [D12.7]', () => {
    expect(readKeptCall(JSON.stringify(KEPT), NOW + 8_000)).toEqual(KEPT);
    expect(readKeptCall(JSON.stringify(KEPT), NOW + 8_001)).toBeNull();
  });

  test.each([
    ['nothing', null],
    ['no JSON', '{'],
    ['another shape', '{"callId":1}'],
    ['null', 'null'],
  ])('%s is no call', (_name, text) => {
    expect(readKeptCall(text, NOW)).toBeNull();
  });

  test('continues its dialog with a sequence number above every earlier one', () => {
    expect(reinviteHeaders(KEPT, NOW)).toEqual({
      cseq: NOW / 1000,
      from: '<sip:1005@callout>;tag=ours',
      to: '<sip:13800000001@callout>;tag=theirs',
      callId: 'call@switch',
      routes: [],
    });
    expect(reinviteHeaders(KEPT, NOW).cseq).toBeLessThan(2 ** 31);
  });
});

test('settings of an earlier version count as far as they fit', () => {
  expect(readSettings('{"microphoneId":"a","speakerId":3,"answersItself":true,"isFiltered":"no"}')).toEqual({
    microphoneId: 'a',
    speakerId: null,
    ringerId: null,
    answersItself: true,
    isFiltered: true,
  });
  expect(readSettings('not JSON').answersItself).toBe(false);
});

describe('the media of a call', () => {
  const heard = (packetsReceived: number) => [{ type: 'inbound-rtp', kind: 'audio', packetsReceived, packetsLost: 0, jitter: 0 }];

  test('is rated every third look, over the packets since the last rating', () => {
    const rated: number[] = [];
    const watch = new MediaWatch({ rated: ({ loss }) => rated.push(loss), silent: () => undefined });
    for (let look = 1; look <= 9; look++) watch.look(heard(look * 50));
    expect(rated).toEqual([0, 0]);
  });

  test('is requested anew after two silent checks and not again before ten, as the switch ends a leg after 5 s without media [D12.7]', () => {
    const asked: number[] = [];
    let look = 0;
    const watch = new MediaWatch({ rated: () => undefined, silent: () => asked.push(look) });
    const packets = [50, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 150, 150, 150];
    for (const count of packets) {
      look += 1;
      watch.look(heard(count));
    }
    expect(asked).toEqual([4, 12, 15]);
  });
});
