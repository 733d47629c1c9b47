import { expect, test } from '@jest/globals';
import { type CallRecord, resultOf } from '#tools/runtime/call-record.ts';
import { anOffer, aScript } from './builders.ts';

const FIELDS = [
  { key: 'amount', label: '金额', type: 'number' },
  { key: 'consent', label: '同意', type: 'boolean' },
  { key: 'visit_time', label: '上门时间', type: 'datetime' },
];

function record(variables: [string, unknown][], script: CallRecord['script']): CallRecord {
  const ending = { how: 'end', by: 'bot', cause: 'NORMAL_CLEARING' } as const;
  return {
    offer: anOffer({}),
    script,
    answeredAt: 0,
    endedAt: 1_000,
    ending,
    steps: [],
    variables: new Map(variables),
    segments: [],
    recording: null,
  };
}

test('a call reports what it found out by the fields of its script, apart from everything else that it collected [D7.17]', () => {
  const script = aScript({ nlu: { profile: null, branches: [], fields: FIELDS } });
  const { payload } = resultOf(
    record(
      [
        ['amount', 5],
        ['consent', false],
        ['wish_spoken', '下周三'],
      ],
      script,
    ),
  );
  expect(payload).toMatchObject({
    result: { fields: { amount: 5, consent: false }, variables: { amount: 5, consent: false, wish_spoken: '下周三' } },
  });
});

test('a call without a script has found out nothing [D7.17]', () => {
  expect(resultOf(record([['amount', 5]], null)).payload).toMatchObject({ result: { fields: {} } });
});
