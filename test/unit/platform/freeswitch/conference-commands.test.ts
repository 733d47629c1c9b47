import { describe, expect, test } from '@jest/globals';
import {
  conferencePlace,
  conferenceSwitch,
  digitsLine,
  joinLine,
  memberLine,
  membersLine,
  parseMembers,
  recordLine,
  relateLine,
} from '#platform/freeswitch/conference-switch.ts';
import { buildOriginate } from '#platform/freeswitch/originate-command.ts';
import { dial } from '#test/support/switch-rig.ts';

const UUID = '3c864247-67be-4666-849f-94167bd08620';

describe('conference commands [fixtures/esl d-conference-plain]', () => {
  test('a channel is transferred to a conference as in the recording', () => {
    expect(joinLine(UUID, { name: 'room1', profile: 'default' })).toBe(`uuid_transfer ${UUID} conference:room1@default inline`);
    expect(joinLine(UUID, { name: 'room1', profile: 'default', muted: true })).toMatch(/room1@default\+flags\{mute\} inline$/);
  });

  test('one member is kept from hearing another, until the relation is cleared', () => {
    expect(relateLine('room1', 3, { otherId: 1, how: 'nospeak' })).toBe('conference room1 relate 3 1 nospeak');
    expect(relateLine('room1', 3, { how: 'clear' })).toBe('conference room1 relate 3 0 clear');
  });

  test('a leg is originated directly into a conference', () => {
    const built = buildOriginate(dial({ conference: { name: 'room1', profile: 'default', muted: true } }));
    expect(built).toMatchObject({ kind: 'built', line: expect.stringMatching(/ &conference\(room1@default\+flags\{mute\}\)$/) });
  });

  test.each(['a b', 'a\nb', 'a@b', 'a)', '', 'room+flags{moderator}', 'a'.repeat(101)])('%j is not accepted as a conference name', name => {
    expect(conferencePlace({ name, profile: 'default' })).toBeNull();
    expect(() => membersLine(name)).toThrow('conferenceName');
    expect(buildOriginate(dial({ conference: { name, profile: 'default' } }))).toEqual({ kind: 'unsafe', problem: 'conference' });
  });

  test.each([
    ['uuid', () => joinLine('a b', { name: 'r', profile: 'd' })],
    ['digits', () => digitsLine(UUID, '12\n\napi hupall')],
    ['memberId', () => memberLine('r', Number.NaN, 'kick')],
    ['memberId', () => relateLine('r', 1, { otherId: -1, how: 'nospeak' })],
    ['path', () => recordLine('r', '/tmp/a b')],
  ])('an invalid %s is refused, because it could smuggle in a command', (field, build) => {
    expect(build).toThrow(field);
  });
});

describe('members of a conference [fixtures/esl/README §4]', () => {
  test('flags and ids are parsed', () => {
    const text = JSON.stringify([{ members: [{ id: 2, uuid: UUID, flags: { can_speak: false, can_hear: true } }] }]);
    expect(parseMembers(text)).toEqual([{ channelUuid: UUID, memberId: 2, canSpeak: false, canHear: true }]);
  });

  test('an unknown conference gives null, any other reply undefined', () => {
    expect(parseMembers('-ERR Conference room1 not found')).toBeNull();
    expect(parseMembers('-USAGE')).toBeUndefined();
    expect(parseMembers('{')).toBeUndefined();
  });
});

test('a listener is heard only when it barges in, and its keys switch nothing [D9.10]', async () => {
  const lines: string[] = [];
  const api = (_cellId: string, line: string) => {
    lines.push(line);
    return Promise.resolve('+OK');
  };
  const rooms = conferenceSwitch({ api, recordingFolder: () => '/recordings' });
  expect(await rooms.eavesdrop('cell-1', 'listener-1', { channelUuid: 'customer-1', isHeard: true })).toBe('moved');
  expect(lines).toEqual([
    'uuid_setvar_multi listener-1 eavesdrop_enable_dtmf=false;eavesdrop_whisper_aleg=true;eavesdrop_whisper_bleg=true',
    'uuid_transfer listener-1 eavesdrop:customer-1 inline',
  ]);
  await expect(rooms.eavesdrop('cell-1', 'listener-1', { channelUuid: 'a b', isHeard: false })).rejects.toThrow();
});
