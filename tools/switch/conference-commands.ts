import { memberLine, type Member, newestFirst, type Relation, type Room, roomAsJson } from './conference-room.ts';
import type { Conferences } from './conferences.ts';
import { splitOnSpaces } from './separate-string.ts';

/** Originates a leg for `bgdial` and `dial`: the result is `SUCCESS` or a hang-up cause. */
export type DialInto = (dialString: string, room: Room, finish: (result: string) => void) => void;

interface Reach {
  conferences: Conferences;
  dial: DialInto;
}

type RoomCommand = (room: Room, argument: string, reach: Reach) => string;

const GROUPS = new Set(['all', 'non_moderator', 'last']);

/** The reply to `conference` without arguments lists every command; these are the ones that the simulator knows. */
const USAGE = '<conf name> count \n<conf name> list [delim <string>]|[count]\n<conf name> json_list [compact]\n';

/**
 * Runs `conference …`; the replies follow the recordings.
 *
 * Source: recording d-conference-plain, test/fixtures/esl/README.md §4
 */
export function runConference(argument: string, reach: Reach): string {
  const [name, verb, rest = ''] = splitOnSpaces(argument, 3);
  if (name === undefined) return USAGE;
  if (name === 'json_list') return JSON.stringify(rooms(reach).map(room => roomAsJson(room, reach.conferences.now)));
  if (name === 'list') return listAll(reach);
  const room = reach.conferences.rooms.get(name);
  if (!room) return `-ERR Conference ${name} not found\n`;
  const command = verb !== undefined && Object.hasOwn(COMMANDS, verb) ? COMMANDS[verb] : undefined;
  return command ? command(room, rest, reach) : `-ERR Conference command '${verb ?? ''}' not found.\n`;
}

/** The newest conference comes first. */
function rooms({ conferences }: Reach): Room[] {
  return [...conferences.rooms.values()].toReversed();
}

function listAll(reach: Reach): string {
  const all = rooms(reach);
  if (all.length === 0) return '+OK No active conferences.\n';
  return all
    .map(
      room =>
        `+OK Conference ${room.name} (${room.members.size} members rate: 8000 flags: running|answered|enforce_min|dynamic|exit_sound|enter_sound|json_status)\n${listRoom(room)}`,
    )
    .join('');
}

function listRoom(room: Room): string {
  return newestFirst(room)
    .map(member => memberLine(member, room.floor === member.id))
    .join('');
}

const COMMANDS: Readonly<Record<string, RoomCommand>> = {
  json_list: (room, _argument, { conferences }) => JSON.stringify([roomAsJson(room, conferences.now)]),
  list: (room, argument) => (argument === 'count' ? String(room.members.size) : listRoom(room)),
  count: room => String(room.members.size),
  mute: change('mute', 'mute-member', member => (member.canSpeak = false)),
  tmute: change('mute', 'mute-member', member => (member.canSpeak = !member.canSpeak)),
  unmute: change('unmute', 'unmute-member', member => (member.canSpeak = true)),
  deaf: change('deaf', 'deaf-member', member => (member.canHear = false)),
  undeaf: change('undeaf', 'undeaf-member', member => (member.canHear = true)),
  relate,
  hold: change('hold', 'hold-member', member => (member.isOnHold = true)),
  unhold: change('unhold', 'unhold-member', member => (member.isOnHold = false)),
  kick: end('kicked', 'kick-member'),
  hup: end('hup', 'hup-member'),
  lock: (room, _argument, reach) => lock(room, true, reach),
  unlock: (room, _argument, reach) => lock(room, false, reach),
  play: (room, file, { conferences }) =>
    conferences.play(room, file) ? `+OK (play) Playing file ${file}\n` : `-ERR (play) File: ${file} not found.\n`,
  record: (room, path, { conferences }) => (path === '' ? USAGE : conferences.recordings.start(room, path)),
  norecord: (room, which, { conferences }) => (which === '' ? USAGE : conferences.recordings.stop(room, which)),
  get: (room, name, { conferences }) => {
    if (name === 'count') return String(room.members.size);
    return name === 'run_time' ? String(Math.floor((conferences.now - room.createdAt) / 1_000)) : 'get <parameter-name>';
  },
  set: (room, argument) => {
    const [name, value] = splitOnSpaces(argument, 2);
    if (name !== 'max_members') return 'set <parameter-name> <value>';
    const old = room.maxMembers;
    room.maxMembers = Number(value) || 0;
    return String(old);
  },
  transfer: (room, argument, { conferences }) => {
    const [to = '', id = ''] = splitOnSpaces(argument, 2);
    const member = room.members.get(Number(id));
    if (!member) return `-ERR No Member ${id} in conference ${room.name}.\n`;
    conferences.transfer(room, member, to);
    return `+OK Member '${id}' sent to conference ${to}.\n`;
  },
  bgdial: (room, argument, { conferences, dial }) => {
    const jobId = conferences.newId();
    dial(argument, room, result =>
      conferences.tell(room, 'bgdial-result', undefined, [
        ['Result', result],
        ['Job-UUID', jobId],
      ]),
    );
    return `+OK Job-UUID: ${jobId}\n`;
  },
  /** A real switch replies when the call has succeeded or failed; the simulator replies at once. */
  dial: (room, argument, { dial }) => {
    dial(argument, room, () => undefined);
    return '+OK Call Requested: result: [SUCCESS]\n';
  },
};

function change(said: string, action: string, apply: (member: Member) => void): RoomCommand {
  return (room, argument, { conferences }) =>
    eachOf(room, argument, member => {
      apply(member);
      conferences.tell(room, action, member);
      return `+OK ${said} ${member.id}\n`;
    });
}

/** Source: conference_api.c, `conference_api_sub_relate` */
function relate(room: Room, argument: string): string {
  const [ids = '', others, action = ''] = splitOnSpaces(argument, 3);
  if (others === undefined) return relationsOf(room, ids);
  const [noSpeak, noHear] = [action.includes('nospeak'), action.includes('nohear')];
  if (action !== 'clear' && !noSpeak && !noHear) return RELATE_USAGE;
  const pairs = ids.split(',').flatMap(id => others.split(',').map(other => [Number(id) || 0, Number(other) || 0] as const));
  return pairs.map(([id, other]) => (action === 'clear' ? unrelated(room, id, other) : related(room, id, other))).join('');

  function related({ members }: Room, id: number, other: number): string {
    const member = members.get(id);
    if (!member || !members.has(other)) return `-ERR relationship ${id}->${other} not found.\n`;
    member.relations.set(other, { noSpeak, noHear });
    if (noSpeak) member.isTalking = false;
    return `+OK ${id}->${other} ${action} set\n`;
  }
}

const RELATE_USAGE = 'relate <member_id>[,<member_id>] <other_member_id>[,<other_member_id>] [nospeak|nohear|clear]';

/** Member 0 stands for all members. */
function unrelated({ members }: Room, id: number, other: number): string {
  const member = members.get(id);
  if (!member) return `-ERR relationship ${id}->${other} not found.\n`;
  if (other === 0) member.relations.clear();
  else member.relations.delete(other);
  return `+OK relationship ${id}->${other} cleared.\n`;
}

/** Without an id it lists nothing; without relations it says so. */
function relationsOf(room: Room, ids: string): string {
  if (room.members.values().every(({ relations }) => relations.size === 0)) return '+OK No relationships\n';
  if (ids === '') return '';
  const named = newestFirst(room).filter(({ id }) => ids.split(',').some(text => (Number(text) || id) === id));
  return named.flatMap(({ id, relations }) => [...relations].map(line => relationLine(id, line))).join('');
}

function relationLine(id: number, [other, { noSpeak, noHear }]: [number, Relation]): string {
  return `${id} -> ${other} ${noSpeak ? 'NO' : ''}SPEAK ${noHear ? 'NO' : ''}HEAR NOSENDVIDEO \n`;
}

/** Kick and hang-up are the same for a leg whose only application is the conference. */
function end(said: string, action: string): RoomCommand {
  return (room, argument, { conferences }) => {
    const text = eachOf(room, argument, member => {
      conferences.tell(room, action, member);
      return `+OK ${said} ${member.id}\n`;
    });
    for (const member of targets(room, argument)) conferences.kill(member.channel);
    return text;
  };
}

function targets(room: Room, argument: string): Member[] {
  const all = newestFirst(room);
  if (argument === 'last') return all.slice(0, 1);
  if (GROUPS.has(argument)) return all.filter(member => argument === 'all' || !member.isModerator);
  const member = room.members.get(Number(argument));
  return member ? [member] : [];
}

function eachOf(room: Room, argument: string, act: (member: Member) => string): string {
  const found = targets(room, argument);
  if (found.length === 0 && !GROUPS.has(argument)) return `-ERR Non-Existant ID ${argument}\n`;
  return found.map(act).join('');
}

function lock(room: Room, isLocked: boolean, { conferences }: Reach): string {
  room.isLocked = isLocked;
  conferences.tell(room, isLocked ? 'lock' : 'unlock');
  return `+OK ${room.name} ${isLocked ? 'locked' : 'unlocked'}\n`;
}
