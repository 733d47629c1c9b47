/**
 * Channel variables in `{}` and in `uuid_setvar`.
 *
 * Source: D4.5, fixtures/esl/README.md §7.8
 */

const NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** Names with a meaning to the switch or to sip: some run commands, some send headers, some change the call. */
const RESERVED_PREFIXES =
  `origination_ originate_ originator execute_on_ exec_ api_ sip_ sofia_ rtp_ sdp_ ignore_ bridge_ leg_ group_confirm_ park_
  hangup_ transfer_ fail_ continue_ absolute_ codec_ effective_ caller_ dialed_ channel_ switch_ sched_ bypass_ proxy_ enable_ disable_ media_ force_
  monitor_ instant_ringback export_vars campon http_ presence_ _`.split(/\s+/);
const RESERVED_NAMES = new Set(
  'uuid call_uuid direction ringback accountcode password domain_name user_name hold_music conference_name'.split(' '),
);

/** Whether a variable of this name may be set: not malformed, and nothing that the switch or sip reserves. */
export function isVariableName(name: string): boolean {
  const folded = name.toLowerCase();
  return NAME.test(name) && !RESERVED_NAMES.has(folded) && !RESERVED_PREFIXES.some(prefix => folded.startsWith(prefix));
}

/** Carried as it is, without quotes. */
const PLAIN = /^[A-Za-z0-9_.:@%+*#/;=<>()&!?~-]+$/;
const MAX_CARRIED_LENGTH = 4_096;

/**
 * The value as it is written after `name=` in `{}`; null when no escape carries it.
 *
 * Why:    the switch takes quotes and escapes away three times (spaces, commas, equal signs). A comma survives as `\,` in quotes, one apostrophe as
 *         `\\\'`; an unbalanced brace, `${`, `:_:` and a backslash survive nothing, outer spaces are stripped
 */
export function carry(value: string): string | null {
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

/** A channel variable is one line of well-formed text; the runtime gets the exact value over NATS. */
export function withoutControls(text: string): string {
  return text.toWellFormed().replace(/\p{Cc}/gu, '');
}

/** The API call that sets one variable: `uuid_setvar` keeps the rest of its line; quotes keep outer spaces, escapes keep quotes and backslashes. */
export function setVariableLine(uuid: string, name: string, value: string): string {
  return `uuid_setvar ${uuid} ${name} '${withoutControls(value).replace(/[\\']/g, '\\$&')}'`;
}
