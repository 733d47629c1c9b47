import { isChannelVariable } from './channel-variables.ts';
import { conferencePlace, eavesdropTarget, eavesdropVariables } from './conference-switch.ts';
import { fillDialTemplate, readDialTemplate } from './dial-template.ts';
import type { OriginateCommand } from './switch.ts';

/**
 * How channel variables are written in `{}` and in `uuid_setvar`; `platform/freeswitch/channel-variables.ts` decides which ones are allowed.
 *
 * Source: D4.5, test/fixtures/esl/README.md §7.8
 */

/** Values that need no quotes. */
const PLAIN = /^[A-Za-z0-9_.:@%+*#/;=<>()&!?~-]+$/;
const MAX_CARRIED_LENGTH = 4_096;

/**
 * A value as written after `name=` in `{}`; null when no escaping preserves it.
 *
 * Why:    the switch strips quotes and escapes three times (for spaces, commas, equal signs). A comma survives as `\,` in quotes, a single
 *         apostrophe as `\\\'`; unbalanced braces, `${`, `:_:` and backslashes cannot be preserved, outer spaces are stripped
 */
function carry(value: string): string | null {
  if (PLAIN.test(value) && !value.includes(':_:')) return value;
  if (!isCarriable(value)) return null;
  return `'${value.replaceAll(',', '\\,').replaceAll("'", "\\\\\\'")}'`;
}

function isCarriable(value: string): boolean {
  if (value === '' || value.length > MAX_CARRIED_LENGTH || value !== value.trim()) return false;
  if (/[\p{Cc}\\]|\$\{|:_:|^\^\^|^ARRAY::/u.test(value)) return false;
  return value.split("'").length <= 2 && isBalanced(value);
}

function isBalanced(value: string): boolean {
  let depth = 0;
  for (const char of value) {
    if (char === '{') depth += 1;
    if (char === '}') depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}

/** A channel variable is one line of well-formed text; the runtime receives the exact value over NATS. */
export function withoutControls(text: string): string {
  return text.toWellFormed().replace(/\p{Cc}/gu, '');
}

/** API command that sets a variable: `uuid_setvar` takes the rest of the line; quotes keep outer spaces, escapes keep quotes and backslashes. */
export function setVariableLine(uuid: string, name: string, value: string): string {
  return `uuid_setvar ${uuid} ${name} '${withoutControls(value).replace(/[\\']/g, '\\$&')}'`;
}

/** SIP profile of a cell that configures none. */
const DEFAULT_PROFILE = 'external';

interface DialString {
  dialString: string;
  /** Host for caller URIs; null for a gateway whose domain the template does not contain. */
  host: string | null;
}

/**
 * Fills the number into a line's dial string; null when the template could dial, set or run anything else.
 *
 * Why: checked again here, because a stored line may predate the rule
 */
function readTemplate(template: string, number: string, sipProfile = DEFAULT_PROFILE): DialString | null {
  const read = readDialTemplate(template);
  return read.kind === 'allowed' ? { dialString: fillDialTemplate(read, { number, sipProfile }), host: read.host } : null;
}

type BuiltOriginate =
  | {
      kind: 'built';
      /** `bgapi originate …`, one line. */
      line: string;
      /** Values that `{}` cannot carry; to be set with `uuid_setvar` once the channel exists. */
      later: ReadonlyMap<string, string>;
      /** Names of variables dropped because of their name or value. */
      leftOut: readonly string[];
    }
  /** `problem` names the field, never its value. */
  | { kind: 'unsafe'; problem: string };

/** Limit of the whole command; the switch would accept far more than any call needs. */
const MAX_COMMAND_BYTES = 65_536;
const MAX_TIMEOUT_SECONDS = 600;
/** The switch counts in whole seconds and may end an attempt up to a second early. */
const TIMEOUT_MARGIN_SECONDS = 1;
const MAX_CALLER_NAME_LENGTH = 64;

const CHANNEL_ID = /^[0-9a-zA-Z-]{1,64}$/;
const EXTENSION = /^[0-9A-Za-z_.*#-]{1,32}$/;
const CALLER_NUMBER = /^[+0-9A-Za-z*#._-]{1,32}$/;
/** Characters that would end the display name of a SIP header, or the enclosing `{}`. */
const UNFIT_FOR_NAME = /[\p{C}"'\\<>{}[\]$,;:|^~]/gu;

/** Properties of the dialling cell. */
interface DiallingCell {
  sipProfile?: string | undefined;
  /** Domain of the dial string's gateway, when the dial string does not name it. */
  gatewayDomain?: string | null;
}

/**
 * Builds the command that dials an attempt, with the attempt's id as channel uuid.
 *
 * Why:    hostile input in a name, number or variable must stay inside its value: no extra command, header, variable or destination
 * Source: D4.4, D4.5, test/fixtures/esl/README.md §7.7–7.9
 */
export function buildOriginate(command: OriginateCommand, { sipProfile, gatewayDomain = null }: DiallingCell = {}): BuiltOriginate {
  const unsafe = (problem: string): BuiltOriginate => ({ kind: 'unsafe', problem });
  if (!CHANNEL_ID.test(command.requestId)) return unsafe('requestId');
  const number = command.destinationNumber;
  if (!DESTINATION.test(number) && !isExtension(command)) return unsafe('destinationNumber');
  if (command.callerIdNumber !== null && !CALLER_NUMBER.test(command.callerIdNumber)) return unsafe('callerIdNumber');
  if (!isTimeout(command.timeoutSeconds)) return unsafe('timeoutSeconds');
  if (!DIGITS.test(command.digitsAfterAnswer ?? '')) return unsafe('digitsAfterAnswer');
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

function applicationOf({ conference, eavesdrop }: OriginateCommand): string | null {
  const target = eavesdrop && eavesdropTarget(eavesdrop);
  if (target !== undefined) return target === null ? null : `&eavesdrop(${target})`;
  if (conference === undefined) return '&park()';
  const place = conferencePlace(conference);
  return place === null ? null : `&conference(${place})`;
}

/** A leading `+`, digits, `*` and `#`, at most 32 characters: nothing else can leave the dial string. Source: D4.5 */
const DESTINATION = /^(?=.{1,32}$)\+?[*#]*[0-9][0-9*#]*$/;

/** An extension of the switch's own directory may contain letters. */
function isExtension({ dialStringTemplate, destinationNumber: extension }: OriginateCommand): boolean {
  return dialStringTemplate.startsWith('user/') && EXTENSION.test(extension);
}

function isTimeout(seconds: number): boolean {
  return Number.isInteger(seconds) && seconds >= 1 && seconds <= MAX_TIMEOUT_SECONDS;
}

/** Extension behind a number. */
const DIGITS = /^[0-9*#]{0,16}$/;
/** `W` pauses for a second: a switchboard answers and begins its announcement before it listens. */
const PAUSE_BEFORE_DIGITS = 'WW';
/** Length of each tone, ms; the switch adds the gap between two. */
const TONE_MS = 200;

type Pairs = (readonly [name: string, value: string])[];

function ownVariables(command: OriginateCommand): Pairs {
  return [
    ['origination_uuid', command.requestId],
    ['ignore_early_media', 'true'],
    ['originate_timeout', String(command.timeoutSeconds + TIMEOUT_MARGIN_SECONDS)],
    ...(command.eavesdrop ? eavesdropVariables(command.eavesdrop) : []),
    ...idleVariables(command),
    ...digitVariables(command),
  ];
}

/**
 * A parked channel sends nothing by default. A barging voice is mixed into the sent audio, so the customer would hear it only while the bot
 * speaks; and carriers end calls whose RTP stops.
 */
function idleVariables({ conference, eavesdrop }: OriginateCommand): Pairs {
  return conference === undefined && eavesdrop === undefined ? [['send_silence_when_idle', '-1']] : [];
}

/** The switch itself sends the digits at the answer, so that no message of ours can be lost or late. */
function digitVariables({ digitsAfterAnswer = '' }: OriginateCommand): Pairs {
  return digitsAfterAnswer === '' ? [] : [['execute_on_answer', `send_dtmf ${PAUSE_BEFORE_DIGITS}${digitsAfterAnswer}@${TONE_MS}`]];
}

/**
 * Caller id variables for the three header modes of a line.
 *
 * Why:    FreeSWITCH expects a complete URI for both headers, and the channel's From overrides the gateway's. The host comes from the dial
 *         string; for a gateway whose domain is unknown, the identity is a `tel:` URI and the gateway sets the From
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
