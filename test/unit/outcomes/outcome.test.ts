import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { evidence, OUTCOMES } from '#attempts/decisions/evidence.ts';
import { recogniseGreeting } from '#outcomes/decisions/greetings.ts';
import { type AttemptFacts, evidenceOf, outcomeOf } from '#outcomes/decisions/outcome.ts';
import { CALL_STATUSES, callStatusOf } from '#protocol/call-status.ts';

const unanswered: AttemptFacts = {
  callStatus: null,
  cause: null,
  sipStatus: null,
  q850: null,
  progressMs: null,
  mediaMs: null,
  ringback: null,
  startedAt: 1_000_000,
  answeredAt: null,
  endedAt: 1_020_000,
  firstAudioMs: null,
  firstWords: null,
  hasCustomerSpoken: null,
  reported: null,
  classification: null,
  optOut: false,
  isOurFault: false,
  isSilentLine: false,
  isUnserved: false,
};

const answered: AttemptFacts = {
  ...unanswered,
  callStatus: 'completed',
  reported: 'completed',
  cause: 'NORMAL_CLEARING',
  answeredAt: 1_005_000,
  firstAudioMs: 800,
  hasCustomerSpoken: true,
};

const byCause = (cause: string) => outcomeOf({ ...unanswered, cause, callStatus: callStatusOf(cause) });

describe('the outcome of an attempt [D7.13]', () => {
  test.each([
    ['USER_BUSY', 'busy'],
    ['NO_ANSWER', 'no_answer'],
    ['CALL_REJECTED', 'rejected'],
    ['SUBSCRIBER_ABSENT', 'power_off'],
    ['DESTINATION_OUT_OF_ORDER', 'out_of_service'],
    ['UNALLOCATED_NUMBER', 'invalid_number'],
    ['NUMBER_CHANGED', 'invalid_number'],
    ['INVALID_NUMBER_FORMAT', 'invalid_number'],
    ['SWITCH_CONGESTION', 'network_busy'],
    ['SERVICE_UNAVAILABLE', 'network_busy'],
    ['ORIGINATOR_CANCEL', 'local_failure'],
    ['BEARERCAPABILITY_NOTAVAIL', 'unknown'],
  ])('%s before an answer is %s', (cause, outcome) => {
    expect(byCause(cause)).toBe(outcome);
  });

  test('without any status nothing is known', () => {
    expect(outcomeOf(unanswered)).toBe('unknown');
  });

  test('a wish for no further calls comes before everything else', () => {
    expect(outcomeOf({ ...answered, optOut: true, classification: 'voicemail', isOurFault: true })).toBe('opted_out');
  });

  test('a dead line is a failure of ours, whatever cause the stack made up', () => {
    expect(outcomeOf({ ...unanswered, callStatus: 'no_answer', cause: 'RECOVERY_ON_TIMER_EXPIRE', isSilentLine: true })).toBe(
      'local_failure',
    );
    expect(outcomeOf({ ...unanswered, callStatus: 'network_busy', cause: 'GATEWAY_DOWN', isOurFault: true })).toBe('local_failure');
  });

  test('who answered and was served by nobody was abandoned', () => {
    expect(outcomeOf({ ...answered, callStatus: 'failed', reported: null, isOurFault: true, isUnserved: true })).toBe('abandoned');
    expect(outcomeOf({ ...unanswered, isOurFault: true, isUnserved: true })).toBe('local_failure');
  });

  test('a runtime that fails in a call is a failure of ours', () => {
    expect(outcomeOf({ ...answered, callStatus: 'failed', reported: 'failed' })).toBe('local_failure');
  });

  test.each([
    ['voicemail', 'voicemail'],
    ['语音信箱', 'voicemail'],
    ['answering_machine', 'voicemail'],
    ['call screening', 'screening'],
    ['来电助理', 'screening'],
    ['fax', 'fax'],
    ['传真机', 'fax'],
    ['interested', 'completed'],
  ])('the classification %s of the runtime makes it %s', (classification, outcome) => {
    expect(outcomeOf({ ...answered, classification })).toBe(outcome);
  });

  test('a mailbox by the runtime is a screening where the first words say so', () => {
    expect(outcomeOf({ ...answered, callStatus: 'voicemail', reported: 'voicemail' })).toBe('voicemail');
    expect(outcomeOf({ ...answered, callStatus: 'voicemail', firstWords: '我是机主的智能秘书，请问您找他有什么事？' })).toBe('screening');
  });

  test('an announcement after the answer decides unless the runtime said so itself', () => {
    expect(outcomeOf({ ...answered, firstWords: '对不起，您拨打的号码是空号，请核对后再拨。' })).toBe('invalid_number');
    expect(outcomeOf({ ...answered, callStatus: 'power_off', reported: 'power_off', firstWords: '您拨打的用户已停机' })).toBe('power_off');
  });

  test('hanging up within three seconds of the first word is short, staying silent for longer is silent', () => {
    const at = (endedAt: number, hasCustomerSpoken: boolean | null) => outcomeOf({ ...answered, endedAt, hasCustomerSpoken });
    expect(at(1_005_000 + 800 + 3_000, false)).toBe('short');
    expect(at(1_005_000 + 800 + 3_001, false)).toBe('silent');
    expect(at(1_005_000 + 800 + 3_000, null)).toBe('short');
    expect(at(1_005_000 + 800 + 3_001, null)).toBe('completed');
    expect(at(1_005_000 + 1_000, true)).toBe('completed');
  });

  test.each(CALL_STATUSES)('an unanswered %s always has an outcome of the list', callStatus => {
    expect(OUTCOMES).toContain(outcomeOf({ ...unanswered, callStatus }));
  });
});

describe('the evidence of an outcome [D7.13]', () => {
  test('names its basis and the times from start and answer', () => {
    const facts = { ...answered, sipStatus: '200', q850: 16, progressMs: 900, mediaMs: 1_200, ringback: 'ringback' };
    expect(evidenceOf(facts)).toEqual({
      basis: 'hang_up',
      cause: 'NORMAL_CLEARING',
      sipStatus: '200',
      q850: 16,
      progressMs: 900,
      mediaMs: 1_200,
      ringback: 'ringback',
      answerMs: 5_000,
      firstAudioMs: 800,
      reported: 'completed',
      classification: null,
      words: null,
      rule: null,
    });
  });

  test('keeps the words only where they decided', () => {
    const words = '您拨打的用户已关机';
    expect(evidenceOf({ ...answered, firstWords: words })).toMatchObject({ basis: 'words', words });
    expect(evidenceOf({ ...answered, firstWords: '你好，哪位' }).words).toBeNull();
  });

  test('stays within 2 KiB and its own schema, whatever a runtime reports', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 20_000 }),
        fc.string({ unit: 'binary', maxLength: 20_000 }),
        (cause, classification) => {
          const kept = evidenceOf({ ...answered, cause, classification, firstWords: `您拨打的号码是空号${classification}` });
          expect(Buffer.byteLength(JSON.stringify(kept))).toBeLessThanOrEqual(2_048);
          expect(evidence.parse(kept)).toEqual(kept);
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('who answered, by the first words [D7.13]', () => {
  test.each([
    ["Hi, if you record your name and reason for calling, I'll see if this person is available.", 'screening'],
    ["The person you're calling is using a screening service and will get a copy of this conversation", 'screening'],
    ['您好，请说出您的姓名和来电原因，我会确认对方是否方便接听', 'screening'],
    ['你好，我是机主的小爱同学，机主现在不方便接听', 'screening'],
    ['您好，我是机主的智能通话助手，请问有什么可以转告', 'screening'],
    ['您好，这里是来电管家，请问您找机主什么事？', 'screening'],
    ['我是机主的AI助理，请留言', 'screening'],
    ['对不起，您呼叫的用户正忙，已为您转接到语音信箱，请留言。', 'voicemail'],
    ['您拨打的电话暂时无人接听，请在嘀声后留言', 'voicemail'],
    ['Please leave a message after the tone', 'voicemail'],
    ['对不起，您所拨打的号码不存在，请查证后再拨', 'invalid_number'],
    ['The number you have dialed is not in service', 'invalid_number'],
    ['您好，您拨打的电话已停机', 'out_of_service'],
    ['您拨叫的用户已关机，请稍后再拨', 'power_off'],
    ['The subscriber you dialed is powered off', 'power_off'],
    ['您拨打的用户正在通话中，请稍后再拨', 'busy'],
    ['您拨打的电话暂时无人接听，请稍后再拨', 'no_answer'],
  ])('%s → %s', (words, outcome) => {
    expect(recogniseGreeting(words)).toBe(outcome);
  });

  test.each([
    '喂，你好',
    '我是王总的助理，有什么事你跟我说',
    '我是他秘书，他在开会',
    '你这个号码是空号吧，我回拨打不通',
    '我手机快关机了，你快说',
    'Who is this? My name is Anna',
    'I switched off the phone alarm, what is it',
    '不需要，别再打了',
    '你们公司的语音助手真吵',
    '你是智能语音助手吧',
  ])('%s is a person', words => {
    expect(recogniseGreeting(words)).toBeNull();
  });
});
