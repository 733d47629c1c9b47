import { runConference } from './conference-commands.ts';
import type { Room } from './conference-room.ts';
import { splitOnSpaces } from './separate-string.ts';
import type { SwitchCore } from './switch-core.ts';

type CallCommand = (argument: string, reach: { core: SwitchCore }) => string;

const NO_CHANNEL = '-ERR No such channel!\n';
const NO_SESSION = '-ERR Cannot locate session!\n';

/** API commands about a live call. Source: recordings c-api-commands, d-conference-plain */
export const CALL_COMMANDS: Readonly<Record<string, CallCommand>> = {
  conference: (argument, { core }) =>
    runConference(argument, { conferences: core.conferences, dial: (leg, room, finish) => dialInto(core, leg, room, finish) }),
  uuid_bridge: (argument, { core }) => {
    const [first = '', second = ''] = splitOnSpaces(argument, 3);
    return core.bridges.join(first, second);
  },
  uuid_transfer: (argument, { core }) => {
    const [uuid = '', destination = ''] = splitOnSpaces(argument, 4);
    const channel = core.channels.get(uuid);
    if (!channel) return NO_CHANNEL;
    core.moves.transfer(channel, destination);
    return '+OK\n';
  },
  uuid_send_dtmf: (argument, { core }) => {
    const [uuid = '', digits = ''] = splitOnSpaces(argument, 2);
    const channel = core.channels.get(uuid);
    if (!channel) return NO_SESSION;
    core.options.recorder.sentDigits(uuid, digits);
    return `+OK ${uuid} sent DTMF ${digits}.\n`;
  },
  /** Replies with success even when there is no such channel. */
  uuid_hold: (argument, { core }) => {
    const [first = '', second = ''] = splitOnSpaces(argument, 3);
    const channel = core.channels.get(first === 'off' ? second : first);
    if (channel) core.hold(channel, first !== 'off');
    return '+OK Success\n';
  },
  uuid_broadcast: (argument, { core }) => {
    const [uuid = '', path = ''] = splitOnSpaces(argument, 3);
    const channel = core.channels.get(uuid);
    if (!channel) return '-ERR invalid uuid\n';
    core.options.recorder.played(uuid, path);
    core.attend(channel);
    return '+OK Message sent\n';
  },
};

/** The third word is the caller's number, the rest the caller's name. */
function dialInto(core: SwitchCore, argument: string, room: Room, finish: (result: string) => void): void {
  const [leg = ''] = splitOnSpaces(argument, 3);
  core.originate(`${leg} &conference(${room.name}@${room.profile})`, result =>
    finish(result.startsWith('+OK') ? 'SUCCESS' : result.replace(/^-ERR\s+/, '').trim()),
  );
}
