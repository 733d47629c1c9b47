import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { encodeCommand } from '#platform/freeswitch/esl-codec.ts';
import { buildOriginate, setVariableLine } from '#platform/freeswitch/originate-command.ts';
import { CommandDecoder } from '#tools/switch/command-decoder.ts';
import { parseOriginate } from '#tools/switch/originate-line.ts';
import { splitOnSpaces } from '#tools/switch/separate-string.ts';
import type { OriginateCommand } from '#platform/freeswitch/switch.ts';
import { isChannelVariable, isVariableValue } from '#platform/freeswitch/channel-variables.ts';

const REQUEST_ID = '0338df3d-a19f-44c5-aedd-fe4247a4134e';

function command(change: Partial<OriginateCommand> = {}): OriginateCommand {
  return {
    cellId: 'cell-1',
    requestId: REQUEST_ID,
    dialStringTemplate: 'sofia/gateway/gw1/{{destinationNumber}}',
    destinationNumber: '13800000000',
    callerIdNumber: '02160000000',
    callerIdName: null,
    callerIdHeaderMode: 'caller_id_only',
    timeoutSeconds: 30,
    variables: {},
    sendBefore: 0,
    ...change,
  };
}

/** The command as the switch would execute it: variables after its whole parsing and after the later `uuid_setvar`s. */
function carriedOut(wanted: OriginateCommand) {
  const built = buildOriginate(wanted);
  if (built.kind === 'unsafe') return built;
  const commands = new CommandDecoder().push(encodeCommand(built.line, { 'Job-UUID': 'job' }));
  expect(commands).toHaveLength(1);
  expect([...(commands[0]?.headers ?? [])]).toEqual([['job-uuid', 'job']]);
  const parse = parseOriginate((commands[0]?.line ?? '').replace(/^bgapi originate /, ''));
  if (parse.kind !== 'originate') throw new Error(`the switch answers ${parse.kind} to ${built.line}`);
  const variables = new Map(parse.originate.variables);
  for (const [name, value] of built.later) {
    const [line] = new CommandDecoder().push(encodeCommand(setVariableLine(wanted.requestId, name, value)));
    const [uuid, set, text] = splitOnSpaces((line?.line ?? '').replace(/^uuid_setvar /, ''), 3);
    expect([uuid, set]).toEqual([wanted.requestId, name]);
    variables.set(name, text ?? '');
  }
  return { kind: 'carriedOut' as const, ...parse.originate, variables: Object.fromEntries(variables), leftOut: built.leftOut };
}

const OWN = {
  origination_uuid: REQUEST_ID,
  ignore_early_media: 'true',
  originate_timeout: '31',
  send_silence_when_idle: '-1',
  origination_caller_id_number: '02160000000',
};

const FRAGMENTS = [
  '\r\n',
  '\n\n',
  '\0',
  ',',
  '{',
  '}',
  '[',
  ']',
  '<',
  '>',
  "'",
  '"',
  '^^:',
  '^^~',
  '${',
  '${caller_id_number}',
  '$${domain}',
  '%0a',
  '%0D%0A',
  '\\',
  '\\n',
  "\\'",
  '\\,',
  ':_:',
  '|',
  '=',
  '&',
  '&park()',
  ' ',
  '\t',
  '😀',
  '王小明',
  '，',
  'a',
  'origination_uuid=x',
  'api status',
  'Job-UUID: x',
  'ARRAY::a|:b',
  '\u2028',
  '\u0085',
  '\ud800',
  'é',
];
const hostile = fc
  .array(fc.oneof(fc.constantFrom(...FRAGMENTS), fc.string({ maxLength: 4 })), { maxLength: 9 })
  .map(parts => parts.join(''));
const names = fc.constantFrom('customer_name', 'note', 'order-id', 'City', 'callout_attempt_id', 'x1');

/** A value as a channel variable can hold it: one line of well-formed text. */
function plain(text: string): string {
  return text.toWellFormed().replace(/\p{Cc}/gu, '');
}

describe('hostile values cannot break out of their place [fixtures/esl/README §7.7, §7.8]', () => {
  test('any values of variables: exactly the wanted variables, destination and application', () => {
    fc.assert(
      fc.property(fc.dictionary(names, hostile, { maxKeys: 5 }), variables => {
        const kept = Object.entries(variables).map(([name, value]) => [name, plain(value)] as const);
        const wanted = kept.filter(([, value]) => value.trim() !== '' && isVariableValue(value));
        expect(carriedOut(command({ variables }))).toEqual({
          kind: 'carriedOut',
          variables: { ...OWN, ...Object.fromEntries(wanted) },
          dialString: 'sofia/gateway/gw1/13800000000',
          application: '&park()',
          leftOut: kept.filter(([, value]) => !isVariableValue(value)).map(([name]) => name),
        });
      }),
      { numRuns: 3_000 },
    );
  });

  test('any caller name: at most its own variable, and no other change', () => {
    fc.assert(
      fc.property(hostile, callerIdName => {
        const result = carriedOut(command({ callerIdName }));
        if (result.kind !== 'carriedOut') throw new Error('refused');
        const { origination_caller_id_name: name, ...rest } = result.variables;
        expect(rest).toEqual(OWN);
        expect(name ?? '').not.toMatch(/["'\\<>{}\r\n\0]/);
        expect(result.dialString).toBe('sofia/gateway/gw1/13800000000');
      }),
      { numRuns: 1_000 },
    );
  });

  test.each(['requestId', 'destinationNumber', 'callerIdNumber', 'dialStringTemplate'] as const)(
    'any %s: refused, or exactly its own value',
    field => {
      fc.assert(
        fc.property(hostile, fc.nat({ max: 12 }), (text, at) => {
          const good = String(command()[field]);
          const value = good.slice(0, at) + text + good.slice(at);
          const result = carriedOut(command({ [field]: value }));
          if (result.kind === 'unsafe') return expect(result.problem).toBe(field);
          const { origination_uuid: uuid, origination_caller_id_number: caller, ...rest } = result.variables;
          expect({ uuid, caller }).toEqual({
            uuid: field === 'requestId' ? value : REQUEST_ID,
            caller: field === 'callerIdNumber' ? value : '02160000000',
          });
          expect(rest).toEqual({ ignore_early_media: 'true', originate_timeout: '31', send_silence_when_idle: '-1' });
          expect(result.application).toBe('&park()');
          return expect(result.dialString.split(/[,|]/)).toHaveLength(1);
        }),
        { numRuns: 1_000 },
      );
    },
  );

  test('any variable name: set as given or left out, and never a name that the rule does not allow', () => {
    fc.assert(
      fc.property(fc.oneof(hostile, fc.string({ maxLength: 12 })), name => {
        const result = carriedOut(command({ variables: { [name]: 'v' } }));
        if (result.kind !== 'carriedOut') throw new Error('refused');
        const isSet = isChannelVariable(name, 'v');
        expect(result.variables).toEqual(isSet ? { ...OWN, [name]: 'v' } : OWN);
        expect(result.leftOut).toEqual(isSet ? [] : [name]);
      }),
    );
  });
});

describe('values are escaped as the measurements require [fixtures/esl/README §7.8]', () => {
  const lineOf = (value: string) => {
    const built = buildOriginate(command({ variables: { v: value } }));
    return built.kind === 'built' ? (/,v=(.*)\}sofia/.exec(built.line)?.[1] ?? null) : built.problem;
  };

  test.each([
    ['req-0338df3d', 'req-0338df3d'],
    ['Wang Lei', "'Wang Lei'"],
    ['Wang, Lei', "'Wang\\, Lei'"],
    ["O'Brien", "'O\\\\\\'Brien'"],
    ['say "hi"', `'say "hi"'`],
    ['a{x}b', "'a{x}b'"],
    ['王小明，经理', "'王小明，经理'"],
    ['%E7%8E%8B%2C%20a', '%E7%8E%8B%2C%20a'],
  ])('%s', (value, escaped) => {
    expect(lineOf(value)).toBe(escaped);
  });

  test.each(['a{b', 'a}b', 'a}b{c', 'a:_:b', 'a\\', 'a\\nb', "it's 'so'", ' a'])('%j is set later by uuid_setvar', value => {
    const built = buildOriginate(command({ variables: { v: value } }));
    expect(built).toMatchObject({ kind: 'built', later: new Map([['v', value]]) });
    expect(built).not.toMatchObject({ line: expect.stringContaining('v=') });
  });

  test.each(['${system(id > /tmp/x)}', '${domain}', '$\u0001{system(id)}', "$'{system(id)}'"])('%j is never sent', value => {
    const built = buildOriginate(command({ variables: { v: value } }));
    expect(built).toMatchObject({ kind: 'built', later: new Map(), leftOut: ['v'] });
    expect(JSON.stringify(built)).not.toMatch(/system|domain/);
  });
});

describe('caller id headers [D4.4]', () => {
  const template = 'sofia/external/{{destinationNumber}}@10.0.0.1:5060';
  const variablesOf = (change: Partial<OriginateCommand>) => {
    const result = carriedOut(command({ dialStringTemplate: template, ...change }));
    return result.kind === 'carriedOut' ? result.variables : result;
  };

  test('caller_id_only sets name and number', () => {
    expect(variablesOf({ callerIdName: 'Acme' })).toEqual({ ...OWN, origination_caller_id_name: 'Acme' });
  });

  test('p_preferred_identity adds the header', () => {
    expect(variablesOf({ callerIdHeaderMode: 'p_preferred_identity' })).toEqual({
      ...OWN,
      'sip_h_P-Preferred-Identity': '<sip:02160000000@10.0.0.1:5060>',
    });
  });

  test('from_and_p_preferred_identity also sets the From user', () => {
    expect(variablesOf({ callerIdHeaderMode: 'from_and_p_preferred_identity' })).toEqual({
      ...OWN,
      'sip_h_P-Preferred-Identity': '<sip:02160000000@10.0.0.1:5060>',
      sip_from_uri: 'sip:02160000000@10.0.0.1:5060',
    });
  });

  test.each([
    ['sofia/gateway/sip.carrier.example/{{destinationNumber}}', {}],
    ['sofia/gateway/external::sip.carrier.example/{{destinationNumber}}', {}],
    ['{sip_invite_domain=sip.carrier.example}sofia/gateway/gw1/{{destinationNumber}}', { sip_invite_domain: 'sip.carrier.example' }],
  ])('through a gateway whose domain the template names, From is set too: %s', (dialStringTemplate, own) => {
    expect(variablesOf({ callerIdHeaderMode: 'from_and_p_preferred_identity', dialStringTemplate })).toEqual({
      ...OWN,
      ...own,
      'sip_h_P-Preferred-Identity': '<sip:02160000000@sip.carrier.example>',
      sip_from_uri: 'sip:02160000000@sip.carrier.example',
    });
  });

  test('a gateway without a domain gets a tel URI and chooses From itself', () => {
    const change = { callerIdHeaderMode: 'from_and_p_preferred_identity', dialStringTemplate: command().dialStringTemplate } as const;
    expect(variablesOf(change)).toEqual({ ...OWN, 'sip_h_P-Preferred-Identity': '<tel:02160000000>' });
  });
});

describe('dial string templates [D4.1]', () => {
  test.each([
    ['{absolute_codec_string=PCMA}sofia/gateway/gw1/{{destinationNumber}}', '13800000000', { absolute_codec_string: 'PCMA' }],
    ['[sip_h_X-Line=3]sofia/gateway/gw1/9{{destinationNumber}}', '913800000000', { 'sip_h_X-Line': '3' }],
  ])('%s: variables of the line are included', (dialStringTemplate, number, more) => {
    expect(carriedOut(command({ dialStringTemplate }))).toMatchObject({
      dialString: `sofia/gateway/gw1/${number}`,
      variables: { ...OWN, ...more },
    });
  });

  test.each([
    'sofia/gateway/gw1/13800000000',
    'sofia/gateway/gw1/{{destinationNumber}}{{destinationNumber}}',
    'sofia/gateway/gw1/{{destinationNumber}},sofia/gateway/gw1/10086',
    'sofia/gateway/gw1/{{destinationNumber}}|sofia/gateway/gw2/{{destinationNumber}}',
    'sofia/gateway/gw1/{{destinationNumber}} &system(reboot)',
    '{origination_uuid=x}sofia/gateway/gw1/{{destinationNumber}}',
    '[execute_on_answer=x]sofia/gateway/gw1/{{destinationNumber}}',
    '{a=b\n}sofia/gateway/gw1/{{destinationNumber}}',
    'sofia/gateway/gw1/{{destinationNumber}}:_:null/x',
  ])('%j is refused', dialStringTemplate => {
    expect(buildOriginate(command({ dialStringTemplate }))).toEqual({ kind: 'unsafe', problem: 'dialStringTemplate' });
  });
});

test('a command that is too long is refused instead of truncated', () => {
  const variables = Object.fromEntries(Array.from({ length: 30 }, (_none, index) => [`v${index}`, 'x'.repeat(4_000)]));
  expect(buildOriginate(command({ variables }))).toEqual({ kind: 'unsafe', problem: 'variables' });
});

test.each([
  ['the profile of the dialling cell', 'carrier', 'sofia/carrier/13800000000@sip.example.com'],
  ['the default profile when the cell names none', undefined, 'sofia/external/13800000000@sip.example.com'],
])('a line may leave the SIP profile to each cell: %s [D1.3]', (_what, sipProfile, dialString) => {
  const built = buildOriginate(command({ dialStringTemplate: 'sofia/{{sipProfile}}/{{destinationNumber}}@sip.example.com' }), {
    sipProfile,
  });
  expect(built.kind === 'built' && built.line).toContain(`}${dialString} &park()`);
});

describe('an extension behind the number [D6.7]', () => {
  test('is sent by the switch after the answer and a pause', () => {
    expect(carriedOut(command({ digitsAfterAnswer: '801#' }))).toMatchObject({
      variables: { ...OWN, execute_on_answer: 'send_dtmf WW801#@200' },
    });
    expect(carriedOut(command({ digitsAfterAnswer: '' }))).toMatchObject({ variables: OWN });
  });

  test.each(['801a', '801,2', '8 01', "801'", '801}', '1'.repeat(17)])('refuses anything but digits: %j', digitsAfterAnswer => {
    expect(buildOriginate(command({ digitsAfterAnswer }))).toEqual({ kind: 'unsafe', problem: 'digitsAfterAnswer' });
  });
});
