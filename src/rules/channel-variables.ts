import switchVariables from './switch-variables.json' with { type: 'json' };

/** Bounds of what one call carries beside Callout's own variables. */
export const MAX_CHANNEL_VARIABLES = 100;
export const MAX_VARIABLE_NAME_LENGTH = 64;
export const MAX_VARIABLE_VALUE_LENGTH = 1_024;
/** Characters of all names and values together. */
export const MAX_VARIABLES_LENGTH = 32_768;

/** Callout's own: nobody else's data comes under these names. */
const OWN_NAMES: ReadonlySet<string> = new Set([
  'callout_request_id',
  'callout_attempt_id',
  'callout_campaign_id',
  'callout_caption_subject',
  'callout_conference_id',
  'callout_softphone_call_id',
]);
const OWN_PREFIX = 'callout_';
/** Under this a variable travels whose own name means something to the switch. */
const RENAMED_PREFIX = 'callout_var_';

/** What a name may be made of at the switch, and how one that stands for itself looks. */
const CHARACTERS = /^[A-Za-z0-9_-]+$/;
const PLAIN = /^[A-Za-z][A-Za-z0-9]*(?:[_-]+[A-Za-z0-9]+)*$/;

/**
 * What the switch reads, writes or compares as names of variables: it does not see the case.
 *
 * Why: derived from its sources, for a list by hand forgets what obeys; `*` stands for what it forms at run time
 */
const [SWITCH_NAMES, SWITCH_PATTERN] = ((names: readonly string[]) => {
  const patterns = names.filter(name => name.includes('*')).map(name => name.replaceAll('*', '.*'));
  return [new Set(names.filter(name => !name.includes('*'))), new RegExp(`^(?:${patterns.join('|')})$`)] as const;
})(switchVariables.names);

/** Taken away wherever the switch splits text into arguments. */
const SPLITTING = /[\p{Cc}\p{Zs}\p{Zl}\p{Zp}\\'"`]/gu;
/** How the switch, its dialplan and its configuration begin something that is to be replaced by something else. */
const EXPANSION = /[$%&@#]\{|\$\$/;

export interface ChannelVariables {
  variables: Readonly<Record<string, string>>;
  /** Names that were not taken for their name, value, length or number, each once, as written. */
  leftOut: readonly string[];
  /** Names that travel under another, each once, as written. */
  renamed: readonly string[];
}

/**
 * The variables that a call carries: those of the campaign, then the contact's metadata; the later wins.
 *
 * Why:    a name of the switch's could redirect a call or run an application there, and travels as `callout_var_<name>`; a value that it expands
 *         could run a command
 * Shape:  string values only, others are ignored; names that differ in case alone are one variable, as at the switch
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

/** Under which name a variable travels: its own, or another where the switch would obey that; null: the switch has none for it. Source: D4.5 */
export function channelName(name: string): string | null {
  if (isVariableName(name)) return name;
  return name.length <= MAX_VARIABLE_NAME_LENGTH && CHARACTERS.test(name) ? RENAMED_PREFIX + name : null;
}

/** Whether a campaign's or contact's variable may stand on a channel under its own name. Source: D4.5 */
export function isVariableName(name: string): boolean {
  if (name.length > MAX_VARIABLE_NAME_LENGTH || !PLAIN.test(name)) return false;
  const folded = name.toLowerCase();
  return !folded.startsWith(OWN_PREFIX) && !SWITCH_NAMES.has(folded) && !SWITCH_PATTERN.test(folded);
}

/**
 * Whether a channel may hold this value: nothing in it that the switch would expand.
 *
 * Why:    `${system(…)}`, once stored, ran as soon as anything expanded that variable; what a split takes away must not make one
 * Source: test/fixtures/esl/README.md "How we use it"
 */
export function isVariableValue(value: string): boolean {
  return !EXPANSION.test(value) && !EXPANSION.test(value.replaceAll(SPLITTING, ''));
}

/** Whether a channel may be given this variable, by us or in the name of others: what every way to a channel asks. */
export function isChannelVariable(name: string, value: string): boolean {
  const isRenamed = name.startsWith(RENAMED_PREFIX) && channelName(name.slice(RENAMED_PREFIX.length)) === name;
  return (OWN_NAMES.has(name) || isRenamed || isVariableName(name)) && isVariableValue(value);
}
