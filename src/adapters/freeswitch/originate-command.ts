import type { OriginateCommand } from '#ports/switch.ts';
import { isChannelVariable } from '#rules/channel-variables.ts';
import { destinationNumber } from '#rules/phone-number.ts';
import { carry, withoutControls } from './channel-variable.ts';
import { conferencePlace } from './conference-commands.ts';
import { readTemplate } from './dial-string.ts';

export type BuiltOriginate =
  | {
      kind: 'built';
      /** `bgapi originate …`, one line. */
      line: string;
      /** Values that `{}` cannot carry: `uuid_setvar` once the channel exists. */
      later: ReadonlyMap<string, string>;
      /** Names that were left out for their own sake or their value's. */
      leftOut: readonly string[];
    }
  /** `problem` names the field, never its value. */
  | { kind: 'unsafe'; problem: string };

/** Whole command; the switch takes far more, nobody needs it. */
const MAX_COMMAND_BYTES = 65_536;
const MAX_TIMEOUT_SECONDS = 600;
/** The switch's whole-second ticks may end an attempt up to a second early. */
const TIMEOUT_MARGIN_SECONDS = 1;
const MAX_CALLER_NAME_LENGTH = 64;

const CHANNEL_ID = /^[0-9a-zA-Z-]{1,64}$/;
const EXTENSION = /^[0-9A-Za-z_.*#-]{1,32}$/;
const CALLER_NUMBER = /^[+0-9A-Za-z*#._-]{1,32}$/;
/** What would end the display name of a SIP header, or the `{}` around it. */
const UNFIT_FOR_NAME = /[\p{C}"'\\<>{}[\]$,;:|^~]/gu;

/** What the cell that dials knows. */
export interface DiallingCell {
  sipProfile?: string | undefined;
  /** Of the gateway of the dial string, where that does not name it. */
  gatewayDomain?: string | null;
}

/**
 * The line that dials one attempt, with the attempt's id as the channel's uuid.
 *
 * Why:    whatever is hostile in a name, a number or a variable stays inside its own value: no other command, header, variable or destination
 * Source: D4.4, D4.5, test/fixtures/esl/README.md §7.7–7.9
 */
export function buildOriginate(command: OriginateCommand, { sipProfile, gatewayDomain = null }: DiallingCell = {}): BuiltOriginate {
  const unsafe = (problem: string): BuiltOriginate => ({ kind: 'unsafe', problem });
  if (!CHANNEL_ID.test(command.requestId)) return unsafe('requestId');
  const number = isExtension(command) ? command.destinationNumber : destinationNumber(command.destinationNumber);
  if (number === null || number !== command.destinationNumber) return unsafe('destinationNumber');
  if (command.callerIdNumber !== null && !CALLER_NUMBER.test(command.callerIdNumber)) return unsafe('callerIdNumber');
  if (!isTimeout(command.timeoutSeconds)) return unsafe('timeoutSeconds');
  const template = readTemplate(command.dialStringTemplate, number, sipProfile);
  if (template === null) return unsafe('dialStringTemplate');
  const application = applicationOf(command);
  if (application === null) return unsafe('conference');

  const { inline, later, leftOut } = splitVariables(command.variables);
  const own = [...ownVariables(command), ...callerVariables(command, template.host ?? gatewayDomain)].map(
    ([name, value]) => `${name}=${carry(value) ?? ''}`,
  );
  const line = `bgapi originate {${[...own, ...inline].join(',')}}${template.dialString} ${application}`;
  if (Buffer.byteLength(line) > MAX_COMMAND_BYTES) return unsafe('variables');
  return { kind: 'built', line, later, leftOut };
}

function applicationOf({ conference }: OriginateCommand): string | null {
  if (conference === undefined) return '&park()';
  const place = conferencePlace(conference);
  return place === null ? null : `&conference(${place})`;
}

/** An extension of the switch's own directory may have letters. */
function isExtension({ dialStringTemplate, destinationNumber: extension }: OriginateCommand): boolean {
  return dialStringTemplate.startsWith('user/') && EXTENSION.test(extension);
}

function isTimeout(seconds: number): boolean {
  return Number.isInteger(seconds) && seconds >= 1 && seconds <= MAX_TIMEOUT_SECONDS;
}

type Pairs = (readonly [name: string, value: string])[];

function ownVariables(command: OriginateCommand): Pairs {
  return [
    ['origination_uuid', command.requestId],
    ['ignore_early_media', 'true'],
    ['originate_timeout', String(command.timeoutSeconds + TIMEOUT_MARGIN_SECONDS)],
  ];
}

/**
 * Caller id in the three header modes of a line.
 *
 * Why:    FreeSWITCH takes a whole URI for both headers, and what a channel says of its From wins over the gateway. The host is the one of the
 *         dial string; of a gateway whose domain neither that nor the switch names, the identity is a `tel:` URI and the gateway decides on From
 * Source: D4.4
 */
function callerVariables(command: OriginateCommand, host: string | null): Pairs {
  const { callerIdNumber: number, callerIdHeaderMode: mode } = command;
  const pairs: Pairs = [];
  if (number !== null) pairs.push(['origination_caller_id_number', number]);
  const name = displayName(command.callerIdName);
  if (name !== '') pairs.push(['origination_caller_id_name', name]);
  if (number === null || mode === 'caller_id_only') return pairs;
  const user = encodeURIComponent(number);
  pairs.push(['sip_h_P-Preferred-Identity', host === null ? `<tel:${user}>` : `<sip:${user}@${host}>`]);
  if (mode === 'from_and_p_preferred_identity' && host !== null) pairs.push(['sip_from_uri', `sip:${user}@${host}`]);
  return pairs;
}

function displayName(name: string | null): string {
  const fit = (name ?? '').toWellFormed().replace(UNFIT_FOR_NAME, ' ').replace(/\s+/g, ' ').trim();
  return Array.from(fit).slice(0, MAX_CALLER_NAME_LENGTH).join('').trim();
}

function splitVariables(variables: Readonly<Record<string, string>>) {
  const inline: string[] = [];
  const later = new Map<string, string>();
  const leftOut: string[] = [];
  for (const [name, exact] of Object.entries(variables)) {
    const value = withoutControls(exact);
    if (!isChannelVariable(name, value)) leftOut.push(name);
    else if (value.trim() !== '') {
      const carried = carry(value);
      if (carried === null) later.set(name, value);
      else inline.push(`${name}=${carried}`);
    }
  }
  return { inline, later, leftOut };
}
