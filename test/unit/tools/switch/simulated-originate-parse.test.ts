import { describe, expect, test } from '@jest/globals';
import { decodeEvent, type EslEvent, FrameDecoder, header } from '#platform/freeswitch/esl-codec.ts';
import { parseOriginate } from '#tools/switch/originate-line.ts';
import { splitOnSpaces } from '#tools/switch/separate-string.ts';
import { readRecording } from '../../platform/freeswitch/recording.ts';

interface Measured {
  argument: string;
  /** Result of the background job, on one line. */
  result: string;
  variables: { v: string | null; w: string | null; x: string | null } | null;
}

/** Every originate of a recording about escaping, with the real switch's result. */
function measured(name: string): Measured[] {
  const exchanges = readRecording(name);
  const frames = new FrameDecoder().push(Buffer.concat(exchanges.flatMap(line => (line.dir === 'S->C' ? [line.bytes] : []))));
  const events = frames.flatMap(frame => decodeEvent(frame) ?? []);
  const replies = frames.filter(frame => frame.contentType === 'command/reply' || frame.contentType === 'api/response');
  const commands = exchanges.flatMap(line => (line.dir === 'C->S' ? [line.bytes.toString().trimEnd()] : []));
  return commands.flatMap((command, index) => {
    const argument = /^bgapi originate (.*)$/.exec(command)?.[1];
    const job = replies[index]?.headers.get('Job-UUID');
    const result = events.find(event => event.name === 'BACKGROUND_JOB' && header(event, 'Job-UUID') === job)?.body.trim();
    if (argument === undefined || result === undefined) return [];
    const uuid = /^\+OK (\S+)/.exec(result)?.[1];
    const channel = events.findLast(event => uuid !== undefined && header(event, 'Unique-ID') === uuid);
    return [{ argument, result, variables: channel ? valuesOf(channel) : null }];
  });
}

function valuesOf(event: EslEvent): Measured['variables'] {
  return { v: header(event, 'variable_v'), w: header(event, 'variable_w'), x: header(event, 'variable_x') };
}

function simulated(argument: string): Omit<Measured, 'argument'> {
  const parse = parseOriginate(argument);
  if (parse.kind === 'usage') return { result: '-USAGE', variables: null };
  if (parse.kind === 'refused') return { result: `-ERR ${parse.cause}`, variables: null };
  const { variables, dialString } = parse.originate;
  if (!dialString.startsWith('null/')) return { result: '-ERR CHAN_NOT_IMPLEMENTED', variables: null };
  const value = (name: string) =>
    variables
      .get(name)
      ?.replace(/^ARRAY::/, '')
      .replaceAll('|:', ',') ?? null;
  return { result: '+OK', variables: { v: value('v'), w: value('w'), x: value('x') } };
}

describe('the simulator parses {variables} as the real switch does [fixtures/esl/README §7.8]', () => {
  const cases = ['p3-escaping', 'p3b-escaping'].flatMap(measured);

  test('the recordings contain the whole table', () => {
    expect(cases.length).toBeGreaterThan(90);
  });

  test.each(cases.map(row => [row.argument.replace(/origination_uuid=[0-9a-f-]+/, 'U').slice(0, 120), row] as const))(
    '%s',
    (_title, row) => {
      const { result, variables } = simulated(row.argument);
      expect({ result, variables }).toEqual({ result: shortResult(row.result), variables: row.variables });
    },
  );
});

function shortResult(result: string): string {
  return result.startsWith('+OK') ? '+OK' : result.startsWith('-USAGE') ? '-USAGE' : result;
}

describe('uuid_setvar is more permissive [fixtures/esl/README §7.8]', () => {
  const exchanges = readRecording('p3b-escaping');
  const cases = exchanges.flatMap((line, index) => {
    const set = /^api uuid_setvar \S+ sv (.*)\n\n$/s.exec(line.bytes.toString())?.[0];
    const answer = exchanges
      .slice(index + 1)
      .find(next => next.dir === 'S->C' && previousCommand(exchanges, next).startsWith('api uuid_getvar'));
    return line.dir === 'C->S' && set && answer
      ? [[set.trimEnd(), answer.bytes.toString().split('\n\n').slice(1).join('\n\n')] as const]
      : [];
  });

  test('the recording contains the measured values', () => {
    expect(cases.length).toBeGreaterThan(8);
  });

  test.each(cases)('%j', (command, value) => {
    expect(splitOnSpaces(command.slice('api uuid_setvar '.length), 3)[2]).toBe(value);
  });
});

function previousCommand(exchanges: ReturnType<typeof readRecording>, before: ReturnType<typeof readRecording>[number]): string {
  const earlier = exchanges.slice(0, exchanges.indexOf(before)).findLast(line => line.dir === 'C->S');
  return earlier?.bytes.toString() ?? '';
}
