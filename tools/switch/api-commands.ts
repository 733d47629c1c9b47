import type { Channel } from './channel.ts';
import { causeNamed } from './channel.ts';
import { channelHeaders, paddingOf, variableOf } from './channel-event.ts';
import { CALL_COMMANDS } from './call-commands.ts';
import { orderPhone } from './order-phone.ts';
import type { Faults } from './faults.ts';
import { orderFault } from './order-fault.ts';
import type { Recorder } from './record.ts';
import { splitOn, splitOnSpaces } from './separate-string.ts';
import type { SwitchCore } from './switch-core.ts';
import { isReady, statusAsJson, statusText } from './status-text.ts';

/** The parts of the simulator that an API command may use. */
export interface ApiReach {
  core: SwitchCore;
  recorder: Recorder;
  faults: Faults;
}

type ApiCommand = (argument: string, reach: ApiReach) => string;

const OK = '+OK\n';
const NO_CHANNEL = '-ERR No such channel!\n';
const DEFAULT_RECORD_LIMIT = 2_000;
const VERSION = 'FreeSWITCH Version 1.11.2-release~64bit (simulated)\n';

const COMMANDS: Readonly<Record<string, ApiCommand>> = {
  status: (_argument, { core }) => statusText(core),
  json: (argument, { core }) => (/"command"\s*:\s*"status"/.test(argument) ? statusAsJson(core) : '-ERR invalid command\n'),
  version: () => VERSION,
  hostname: () => 'simulator',
  echo: argument => argument,
  strepoch: (_argument, { core }) => String(Math.floor(core.options.clock.now() / 1_000)),
  create_uuid: (_argument, { core }) => core.options.ids(),
  global_getvar: (argument, { core }) => core.globals.get(argument) ?? '',
  global_setvar: (argument, { core }) => {
    const [name = '', value = ''] = splitOn(argument, '=', 2);
    core.globals.set(name, value);
    return OK;
  },
  sched_api: (argument, reach) => reach.core.scheduled.add(argument, line => void runApi(line, reach)),
  sched_del: (argument, { core }) => core.scheduled.delete(argument),
  uuid_exists: (argument, { core }) => String(core.channels.has(argument)),
  uuid_kill: killChannel,
  uuid_setvar: setVariable,
  uuid_setvar_multi: setVariables,
  uuid_getvar: getVariable,
  uuid_dump: dumpChannel,
  show,
  ...CALL_COMMANDS,
  hupall: (argument, { core }) => {
    const cause = argument === '' ? 'MANAGER_REQUEST' : causeNamed(argument);
    core.killAll(cause);
    return `+OK hangup all channels with cause ${cause}\n`;
  },
  fsctl,
  sofia,
  callout_record: (argument, { core, recorder }) => {
    const limit = /^\d{1,6}$/.test(argument) ? Number(argument) : DEFAULT_RECORD_LIMIT;
    return JSON.stringify(recorder.read(core.uuid, limit));
  },
  callout_phone: (argument, { core }) => orderPhone(core.options.phones, parseOrder(argument)),
  callout_attend: (argument, { core }) => {
    const channel = core.channels.get(argument);
    if (!channel) return NO_CHANNEL;
    core.attend(channel);
    return OK;
  },
  callout_hush: (argument, { core }) => {
    core.options.sound.hush(argument);
    return OK;
  },
  callout_people(argument, { core }) {
    const { sound } = core.options;
    if (core.channels.has(argument) && sound.hearsNobody(argument)) return JSON.stringify('nobody');
    return JSON.stringify(sound.peopleHeardBy(argument));
  },
  callout_fault: (argument, { faults }) => {
    const problem = orderFault(faults, parseOrder(argument));
    return problem === null ? OK : `-ERR ${problem}\n`;
  },
};

/**
 * Runs one API command; returns the body of its reply. `originate` is implemented elsewhere, because it takes time.
 *
 * Source: test/fixtures/esl/README.md §4
 */
export function runApi(line: string, reach: ApiReach): string {
  const space = line.indexOf(' ');
  const name = (space === -1 ? line : line.slice(0, space)).toLowerCase();
  const argument = space === -1 ? '' : line.slice(space + 1).trim();
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  return command ? command(argument, reach) : `-ERR ${name} Command not found!\n`;
}

/** Only the gateway status of mod_sofia; a gateway whose name begins with `no-` is not configured. */
function sofia(argument: string, { core }: ApiReach): string {
  const gateway = /^status gateway ([\w.-]+)$/.exec(argument)?.[1];
  if (gateway === undefined) return '-ERR Unknown command!\n';
  const { routes, troubles, clock } = core.options;
  const isKnown = routes.gateways === null ? !gateway.startsWith('no-') : Object.hasOwn(routes.gateways, gateway);
  if (!isKnown) return 'Invalid Gateway!\n';
  const isUp = routes.gateways?.[gateway] !== 'down' && !troubles.downGateways.has(gateway);
  const seconds = isUp ? Math.floor((clock.now() - core.startedAt) / 1_000) : 0;
  return [
    `Name    \t${gateway}`,
    'Profile \texternal',
    `From    \t<sip:callout@${gateway}.example;transport=udp>`,
    `Proxy   \tsip:${gateway}.example`,
    `State   \t${isUp ? 'REGED' : 'FAIL_WAIT'}`,
    `Status  \t${isUp ? 'UP' : 'DOWN'}`,
    `Uptime  \t${seconds}s\n`,
  ].join('\n');
}

function parseOrder(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {}; // the caller replies with the list of faults
  }
}

function killChannel(argument: string, { core }: ApiReach): string {
  const [uuid, cause] = splitOnSpaces(argument, 2);
  if (uuid === undefined) return '-USAGE: <uuid> [cause]\n';
  const channel = core.channels.get(uuid);
  if (!channel) return NO_CHANNEL;
  core.kill(channel, causeNamed(cause ?? 'NORMAL_CLEARING'));
  return OK;
}

function setVariable(argument: string, { core }: ApiReach): string {
  const [uuid, name, value] = splitOnSpaces(argument, 3);
  if (uuid === undefined || name === undefined) return '-USAGE: <uuid> <var> [value]\n';
  const channel = core.channels.get(uuid);
  if (!channel) return NO_CHANNEL;
  assign(channel, name, value);
  return OK;
}

function setVariables(argument: string, { core }: ApiReach): string {
  const [uuid = '', pairs = ''] = splitOnSpaces(argument, 2);
  const channel = core.channels.get(uuid);
  if (!channel) return NO_CHANNEL;
  for (const pair of splitOn(pairs, ';', 64)) {
    const [name, value] = splitOn(pair, '=', 2);
    if (name) assign(channel, name, value);
  }
  return OK;
}

function assign(channel: Channel, name: string, value: string | undefined): void {
  if (value === undefined || value === '') channel.variables.delete(name);
  else channel.variables.set(name, value);
}

function getVariable(argument: string, { core }: ApiReach): string {
  const [uuid = '', name = ''] = splitOnSpaces(argument, 2);
  const channel = core.channels.get(uuid);
  return channel ? (variableOf(channel, name) ?? '_undef_') : NO_CHANNEL;
}

function dumpChannel(argument: string, { core }: ApiReach): string {
  const [uuid = ''] = splitOnSpaces(argument, 2);
  const channel = core.channels.get(uuid);
  if (!channel) return NO_CHANNEL;
  const headers = [...core.commonHeaders('CHANNEL_DATA'), ...channelHeaders(channel), ...paddingOf(channel).headers];
  return JSON.stringify(Object.fromEntries(headers));
}

function show(argument: string, { core }: ApiReach): string {
  const { shown } = core;
  switch (argument) {
    case 'channels count':
      return `\n${shown.count} total.\n`;
    case 'channels count as json':
      return JSON.stringify({ row_count: shown.count, rows: [] });
    case 'registrations as json':
      return core.options.phones.registrationsAsJson();
    case 'channels as json':
      return shown.asJson();
    default:
      return '-USAGE: show channels [count] as json\n';
  }
}

function fsctl(argument: string, { core, faults }: ApiReach): string {
  const [verb = '', value = ''] = argument.split(/\s+/);
  const limit = Number(value);
  switch (verb) {
    case 'pause':
    case 'resume':
      if (value !== 'inbound') core.paused.outbound = verb === 'pause';
      if (value !== 'outbound') core.paused.inbound = verb === 'pause';
      return OK;
    case 'pause_check':
      return String(value === 'inbound' ? core.paused.inbound : core.paused.outbound);
    case 'ready_check':
      return String(isReady(core));
    case 'shutdown_check':
      return 'false';
    case 'sps':
      if (limit > 0) core.sessionsPerSecond = limit;
      return `+OK sessions per second: ${core.sessionsPerSecond}\n`;
    case 'max_sessions':
      if (limit > 0) core.maxSessions = limit;
      return `+OK max sessions: ${core.maxSessions}\n`;
    case 'shutdown':
      faults.restart(RESTART_MS);
      return OK;
    default:
      return '-USAGE: [pause|resume|sps|max_sessions|shutdown]\n';
  }
}

/** A real switch is back about 9 s after `shutdown restart`. */
const RESTART_MS = 9_000;
