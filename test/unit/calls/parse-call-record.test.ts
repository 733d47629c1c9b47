import { describe, expect, test } from '@jest/globals';
import { parseCallRecord } from '#calls/call-record.ts';

const UUID = '0338df3d-a19f-44c5-aedd-fe4247a4134e';
const ENDED = { uuid: UUID, hangup_cause: 'NORMAL_CLEARING', sip_hangup_disposition: 'recv_bye', sip_reply_host: '192.0.2.20' };
const TIMES = { answer_uepoch: '1795223409920745', progress_uepoch: '1795223408920745', end_uepoch: '1795223414940001' };
const ANSWERED = { ...ENDED, ...TIMES, rtp_local_sdp_str: 'v=0\r\no=x "y" 50%', callout_note: '张三 {1}' };

/** A record as switch_ivr.c writes it: values are percent-encoded first, unless `encode-values` is off. */
const record = (variables: Record<string, string>, encodesValues = true) =>
  JSON.stringify({
    'core-uuid': 'c',
    channel_data: { state: 'CS_REPORTING' },
    variables: Object.fromEntries(
      Object.entries(variables).map(([name, value]) => [name, encodesValues ? encodeURIComponent(value) : value]),
    ),
    callflow: [{ profile_index: '1', times: { answered_time: '1', hangup_time: '2' } }],
  });

/** Encodes as `switch_url_encode` of switch_utils.c does: existing escapes are left alone. */
const form = (text: string) =>
  `cdr=${text
    .split(/(%[0-9A-F]{2})/)
    .map((part, index) => (index % 2 === 1 ? part : encodeURIComponent(part)))
    .join('')}`;

const SENT: readonly (readonly [string, string, string])[] = [
  ['JSON', 'application/json', record(ANSWERED)],
  ['JSON with bare values', 'application/json; charset=utf-8', record(ANSWERED, false)],
  ['a form', 'application/x-www-form-urlencoded', form(record(ANSWERED))],
  ['a form with bare values', 'application/x-www-form-urlencoded', form(record(ANSWERED, false).replaceAll('50%', '50'))],
  ['base64', 'application/x-www-form-base64-encoded', `cdr=${Buffer.from(record(ANSWERED)).toString('base64')}`],
];

describe('a call detail record [D7.8, mod_json_cdr]', () => {
  test.each(SENT)('sent as %s gives the hang-up side and the times', (_how, type, body) => {
    expect(parseCallRecord(type, Buffer.from(body))).toEqual({
      requestId: UUID,
      cause: 'NORMAL_CLEARING',
      by: 'customer',
      answeredAt: 1_795_223_409_920,
      endedAt: 1_795_223_414_940,
      isSilent: false,
    });
  });

  test('is not fooled by a channel variable that imitates a hang-up', () => {
    const note = 'x","hangup_cause":"USER_BUSY","answer_uepoch":"0';
    const read = parseCallRecord(
      'application/x-www-form-urlencoded',
      Buffer.from(form(record({ callout_note: note, ...ENDED, ...TIMES }))),
    );
    expect(read).toMatchObject({ cause: 'NORMAL_CLEARING', answeredAt: 1_795_223_409_920 });
  });

  test('distinguishes a line without any response from a refusal by the far end', () => {
    const ended = (variables: Record<string, string>) =>
      parseCallRecord(
        'application/json',
        Buffer.from(record({ uuid: UUID, end_uepoch: TIMES.end_uepoch, answer_uepoch: '0', ...variables })),
      );
    expect(ended({ hangup_cause: 'NO_ANSWER', sip_hangup_disposition: 'send_cancel' })).toMatchObject({ isSilent: true, answeredAt: null });
    const refused = { hangup_cause: 'NORMAL_TEMPORARY_FAILURE', sip_hangup_disposition: 'recv_refuse' };
    expect(ended(refused)).toMatchObject({ isSilent: true, by: null });
    expect(ended({ ...refused, sip_reply_host: '192.0.2.20' })).toMatchObject({ isSilent: false });
  });

  test('without an end is ignored', () => {
    expect(parseCallRecord('application/json', Buffer.from(record({ uuid: UUID })))).toBeNull();
  });

  test.each([
    ['application/json', '[]'],
    ['application/json', 'no json'],
    ['application/json', '{"variables":null}'],
    ['application/x-www-form-urlencoded', 'other=1'],
    ['application/x-www-form-base64-encoded', 'cdr=%%%'],
  ])('in an invalid form (%s %s) is refused with 400', (type, body) => {
    expect(() => parseCallRecord(type, Buffer.from(body))).toThrow('参数错误：请求体 不是呼叫详单');
  });

  test('of another content type is refused with 415', () => {
    expect(() => parseCallRecord('text/xml', Buffer.from('<cdr/>'))).toThrow('application/json');
  });
});
