import switchVariables from './switch-variables.json' with { type: 'json' };

/** Bounds of the custom variables of a call; Callout's own variables are not counted. */
export const MAX_CHANNEL_VARIABLES = 100;
export const MAX_VARIABLE_NAME_LENGTH = 64;
export const MAX_VARIABLE_VALUE_LENGTH = 1_024;
/** Total characters of all names and values. */
export const MAX_VARIABLES_LENGTH = 32_768;

/** Reserved names of Callout; custom data never uses them. */
const OWN_NAMES: ReadonlySet<string> = new Set([
  'callout_request_id',
  'callout_attempt_id',
  'callout_campaign_id',
  'callout_caption_subject',
  'callout_conference_id',
  'callout_softphone_call_id',
]);
const OWN_PREFIX = 'callout_';
/** Prefix for a variable whose own name has a meaning for the switch. */
const RENAMED_PREFIX = 'callout_var_';

/** Characters that the switch accepts in a variable name, and the form of a name that needs no prefix. */
const CHARACTERS = /^[A-Za-z0-9_-]+$/;
const PLAIN = /^[A-Za-z][A-Za-z0-9]*(?:[_-]+[A-Za-z0-9]+)*$/;

/**
 * Variable names that the switch reads, writes or compares, in lower case: the switch ignores case.
 *
 * Why: generated from the switch's sources, because a list by hand would miss some; `*` stands for a part that the switch builds at run time
 */
const [SWITCH_NAMES, SWITCH_PATTERN] = ((names: readonly string[]) => {
  const patterns = names.filter(name => name.includes('*')).map(name => name.replaceAll('*', '.*'));
  return [new Set(names.filter(name => !name.includes('*'))), new RegExp(`^(?:${patterns.join('|')})$`)] as const;
})(switchVariables.names);

/** Characters that the switch drops when it splits text into arguments. */
const SPLITTING = /[\p{Cc}\p{Zs}\p{Zl}\p{Zp}\\'"`]/gu;
/** Start of an expression that the switch, its dialplan or its configuration expands. */
const EXPANSION = /[$%&@#]\{|\$\$/;

export interface ChannelVariables {
  variables: Readonly<Record<string, string>>;
  /** Names dropped because of their name, value, length or the limit on their number; each once, as written. */
  leftOut: readonly string[];
  /** Names that get the prefix; each once, as written. */
  renamed: readonly string[];
}

/**
 * The custom variables of a call: those of the campaign, overridden by the contact's metadata.
 *
 * Why:    a variable that the switch knows could redirect a call or run an application there, so it is renamed to `callout_var_<name>`;
 *         a value that the switch expands could run a command
 * Shape:  string values only, others are ignored; names that differ only in case are one variable, as at the switch
 * Source: D4.5, OCS 2.6, 2.7
 */
export function channelVariables(
  campaignVariables: Readonly<Record<string, unknown>>,
  metadata: Readonly<Record<string, unknown>>,
): ChannelVariables {
  const taken = new Map<string, { name: string; value: string }>();
  const [leftOut, renamed] = [new Set<string>(), new Set<string>()];
  let length = 0;
  for (const [given, value] of [...Object.entries(campaignVariables), ...Object.entries(metadata)]) {
    if (typeof value !== 'string') continue;
    const name = channelName(given);
    const key = name?.toLowerCase() ?? '';
    const earlier = taken.get(key);
    const grown = length + key.length + value.length - (earlier ? earlier.name.length + earlier.value.length : 0);
    const hasRoom = grown <= MAX_VARIABLES_LENGTH && (earlier !== undefined || taken.size < MAX_CHANNEL_VARIABLES);
    if (name === null || !isVariableValue(value) || value.length > MAX_VARIABLE_VALUE_LENGTH || !hasRoom) leftOut.add(given);
    else {
      if (name !== given) renamed.add(given);
      taken.set(key, { name, value });
      length = grown;
    }
  }
  const variables = Object.fromEntries([...taken.values()].map(({ name, value }) => [name, value]));
  return { variables, leftOut: [...leftOut], renamed: [...renamed] };
}

/** Name of a variable at the switch: its own, or prefixed where its own has a meaning there; null when it cannot be sent. Source: D4.5 */
export function channelName(name: string): string | null {
  if (isVariableName(name)) return name;
  return name.length <= MAX_VARIABLE_NAME_LENGTH && CHARACTERS.test(name) ? RENAMED_PREFIX + name : null;
}

/** Whether a custom variable can be set on a channel under its own name. Source: D4.5 */
export function isVariableName(name: string): boolean {
  if (name.length > MAX_VARIABLE_NAME_LENGTH || !PLAIN.test(name)) return false;
  const folded = name.toLowerCase();
  return !folded.startsWith(OWN_PREFIX) && !SWITCH_NAMES.has(folded) && !SWITCH_PATTERN.test(folded);
}

/**
 * Whether a value is safe on a channel: it contains nothing that the switch would expand.
 *
 * Why:    a stored `${system(…)}` runs as soon as anything expands the variable; removing split characters must not create such an expression
 * Source: test/fixtures/esl/README.md "How we use it"
 */
export function isVariableValue(value: string): boolean {
  return !EXPANSION.test(value) && !EXPANSION.test(value.replaceAll(SPLITTING, ''));
}

/** Whether a variable may be set on a channel, by Callout itself or as custom data. Every code path that sets variables checks this. */
export function isChannelVariable(name: string, value: string): boolean {
  const isRenamed = name.startsWith(RENAMED_PREFIX) && channelName(name.slice(RENAMED_PREFIX.length)) === name;
  return (OWN_NAMES.has(name) || isRenamed || isVariableName(name)) && isVariableValue(value);
}
