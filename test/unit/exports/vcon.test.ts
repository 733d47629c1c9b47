import { describe, expect, test } from '@jest/globals';
import { maskedCall, type RecordedCall, vconOf } from '#exports/decisions/vcon.ts';

const AT = Date.UTC(2026, 5, 1, 2, 0, 0);
const CALL: RecordedCall = {
  requestId: '0d9f8a1e-3c5b-4d7e-9f10-2a3b4c5d6e7f',
  createdAt: AT,
  startedAt: AT + 1_000,
  answeredAt: AT + 6_000,
  durationSeconds: 33,
  outcome: 'completed',
  customerNumber: '+8613800138000',
  customerName: '王敏',
  callerNumber: '02161234567',
  scriptName: '春季回访',
  campaign: '春季回访',
  recording: '2026/ab_call.mp3',
  classification: 'A',
  intent: '有意向',
  results: { visit: '2026-06-08' },
  agents: ['李雷'],
  segments: [
    { speaker: 'bot', text: '您好', startMs: 0, endMs: 900 },
    { speaker: 'customer', text: '你好', startMs: 1_000, endMs: null },
    { speaker: 'agent', text: '我是坐席', startMs: 5_000, endMs: 6_500 },
  ],
};

// oxlint-disable-next-line typescript/no-explicit-any
const made = (over: Partial<RecordedCall> = {}): any => vconOf({ ...CALL, ...over });

/**
 * Checks the draft's requirements for an unsigned vCon, for the members that our vCons have.
 *
 * Source: draft-ietf-vcon-vcon-container, sections "vCon JSON Object", "Party Object", "Dialog Object", "Analysis Object"; its vcon.cddl
 */
// oxlint-disable-next-line typescript/no-explicit-any
function faultsOf(vcon: any): string[] {
  const faults: string[] = [];
  const need = (isMet: boolean, fault: string) => void (isMet || faults.push(fault));
  need(vcon.vcon === '0.0.2', 'vcon');
  need(/^[0-9a-f-]{36}$/.test(vcon.uuid), 'uuid');
  need(isDate(vcon.created_at), 'created_at');
  for (const party of vcon.parties) need(typeof party.tel === 'string' || typeof party.name === 'string', 'a party without tel and name');
  for (const dialog of vcon.dialog) {
    const parties = [dialog.parties].flat();
    need(isDate(dialog.start), 'start');
    need(['recording', 'text', 'transfer', 'incomplete'].includes(dialog.type), 'type of a dialog');
    need(parties.length > 0 && parties.every(place => Number.isInteger(place) && place < vcon.parties.length), 'parties of a dialog');
    need(dialog.duration === undefined || dialog.duration >= 0, 'duration');
    need((dialog.body === undefined) === (dialog.encoding === undefined), 'body and encoding come together');
    if (dialog.type === 'incomplete') need(dialog.body === undefined && DISPOSITIONS.includes(dialog.disposition), 'an incomplete dialog');
    else need(dialog.disposition === undefined, 'a disposition of what is complete');
    if (dialog.body !== undefined) need(typeof dialog.body === 'string' && typeof dialog.mediatype === 'string', 'inline content');
  }
  for (const analysis of vcon.analysis) {
    need(typeof analysis.type === 'string' && typeof analysis.vendor === 'string', 'type and vendor of an analysis');
    need(
      [analysis.dialog].flat().every((place: number) => place < vcon.dialog.length),
      'dialog of an analysis',
    );
    need(analysis.encoding === 'json' && typeof JSON.parse(analysis.body) === 'object', 'body of an analysis');
  }
  return faults;
}

const DISPOSITIONS = ['no-answer', 'congestion', 'failed', 'busy', 'hung-up', 'voicemail-no-message'];

function isDate(text: unknown): boolean {
  return typeof text === 'string' && /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/.test(text);
}

/** The draft's own example of a call with an external recording and an analysis, in the members that we write too. */
const EXAMPLE = {
  vcon: '0.0.1',
  parties: [
    { tel: '+12345678901', name: 'Alice' },
    { tel: '+19876543210', name: 'Bob' },
  ],
  dialog: [
    {
      type: 'recording',
      start: '2022-06-21T17:53:26.000+00:00',
      duration: 33.12,
      parties: [0, 1],
      mediatype: 'audio/x-mp3',
      filename: 'ab_call.mp3',
    },
  ],
  analysis: [],
  attachments: [],
  uuid: '01928d46-fd43-8c6b-b9a2-279e0d16bc46',
};

describe('a call as a vCon', () => {
  test.each([
    ['with a conversation', {}],
    ['without a recording', { recording: null }],
    [
      'that nobody answered',
      { answeredAt: null, recording: null, segments: [], outcome: 'no_answer', classification: null, intent: null, results: null },
    ],
    ['with an outcome that the draft does not know', { recording: null, segments: [], outcome: 'local_failure', agents: [] }],
    [
      'of which little is known',
      {
        startedAt: null,
        answeredAt: null,
        durationSeconds: null,
        callerNumber: null,
        scriptName: '话术',
        campaign: null,
        customerName: '',
        agents: [],
      },
    ],
  ])('%s keeps to the draft', (_name, over) => {
    expect(faultsOf(made(over))).toEqual([]);
  });

  test('has parties, what was recorded and said, and what was found out', () => {
    expect(made()).toEqual({
      vcon: '0.0.2',
      uuid: CALL.requestId,
      created_at: '2026-06-01T02:00:00.000Z',
      subject: '春季回访',
      parties: [
        { tel: '+8613800138000', name: '王敏', validation: 'none', role: 'customer' },
        { tel: '02161234567', name: '春季回访', role: 'bot' },
        { name: '李雷', role: 'agent' },
      ],
      dialog: [
        {
          type: 'recording',
          start: '2026-06-01T02:00:06.000Z',
          duration: 33,
          parties: [1, 0, 2],
          mediatype: 'audio/mpeg',
          filename: '2026/ab_call.mp3',
        },
        {
          type: 'text',
          start: '2026-06-01T02:00:06.000Z',
          duration: 0.9,
          parties: 1,
          mediatype: 'text/plain',
          encoding: 'none',
          body: '您好',
        },
        { type: 'text', start: '2026-06-01T02:00:07.000Z', parties: 0, mediatype: 'text/plain', encoding: 'none', body: '你好' },
        {
          type: 'text',
          start: '2026-06-01T02:00:11.000Z',
          duration: 1.5,
          parties: 2,
          mediatype: 'text/plain',
          encoding: 'none',
          body: '我是坐席',
        },
      ],
      analysis: [
        {
          type: 'summary',
          dialog: [0, 1, 2, 3],
          vendor: 'Callout',
          schema: 'callout.result.v1',
          mediatype: 'application/json',
          encoding: 'json',
          body: '{"classification":"A","intent":"有意向","outcome":"completed","results":{"visit":"2026-06-08"}}',
        },
      ],
      attachments: [],
    });
  });

  test('has the members of the example of the draft', () => {
    const { parties, dialog, ...top } = made();
    expect(Object.keys({ parties, dialog, ...top })).toEqual(expect.arrayContaining(Object.keys(EXAMPLE)));
    expect(Object.keys(parties[0])).toEqual(expect.arrayContaining(Object.keys(EXAMPLE.parties[0] ?? {})));
    expect(Object.keys(dialog[0])).toEqual(expect.arrayContaining(Object.keys(EXAMPLE.dialog[0] ?? {})));
  });

  test('hides the number of the customer, and those among the results', () => {
    const results = { visit: '2026-06-08', other: '13900139000' };
    const { parties, analysis } = made(maskedCall({ ...CALL, results }, new Set(['other'])));
    expect(parties.map(({ tel }: { tel?: string }) => tel)).toEqual(['***8000', '02161234567', undefined]);
    expect(JSON.parse(analysis[0].body).results).toEqual({ visit: '2026-06-08', other: '***9000' });
  });
});
