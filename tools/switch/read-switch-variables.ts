import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

// Extracts the names of channel variables that FreeSWITCH itself reads or writes from its source tree:
//   node tools/switch/read-switch-variables.ts SOURCE > src/platform/freeswitch/switch-variables.json

/** The core, its headers, and the modules that the shipped switch loads or may load. */
const FOLDERS = [
  'src',
  'src/include',
  'src/mod/applications/mod_commands',
  'src/mod/applications/mod_conference',
  'src/mod/applications/mod_dptools',
  'src/mod/dialplans/mod_dialplan_xml',
  'src/mod/endpoints/mod_loopback',
  'src/mod/endpoints/mod_sofia',
  'src/mod/event_handlers/mod_event_socket',
  'src/mod/event_handlers/mod_format_cdr',
  'src/mod/event_handlers/mod_json_cdr',
  'src/mod/formats/mod_sndfile',
  'src/mod/formats/mod_tone_stream',
  'src/mod/xml_int/mod_xml_curl',
];

/** Name of a variable; `*` stands for a part that the sources form at run time. */
const NAME = /^[A-Za-z_][A-Za-z0-9_-]*(?:\*[A-Za-z0-9_-]*)*:?$/;
const LITERAL = '"((?:[^"\\\\]|\\\\.)*)"';
const ARGUMENT = `(?:${LITERAL}|([A-Z][A-Z0-9_]{3,}))`;

/** Skips arguments up to the wanted one, without a literal before it. */
const EARLIER = `(?:[^,"();]|\\([^()]*\\))*,\\s*`;

/** Calls that read or write a variable: group 1 is the literal, group 2 the macro. */
const LOOKUPS = [
  // Functions named after variables: switch_channel_get_variable, switch_channel_var_true, recording_var_true …
  `\\b[a-z_]*_var(?:iable)?(?:_(?!name_)[a-z_]+)?\\(\\s*(?:${EARLIER}){0,3}?${ARGUMENT}`,
  `switch_channel_set_profile_var\\(\\s*${EARLIER}${ARGUMENT}`,
  // Variables of a dial string, before a channel exists.
  `switch_event_(?:get|add|del)_header[a-z_]*\\(\\s*[A-Za-z_>.-]*(?:var_event|vars|variables)\\s*,\\s*(?:SWITCH_STACK_[A-Z]+\\s*,\\s*)?${ARGUMENT}`,
  // Comparisons with the name of a variable.
  `str(?:case)?cmp\\(\\s*(?:[a-z_]*var_?name|vvar|pvar|hi->name)\\s*,\\s*${ARGUMENT}`,
  // Fields of the caller that are read under names of variables.
  `strcasecmp\\(\\s*name\\s*,\\s*${ARGUMENT}\\)\\)\\s*\\{\\s*return caller_profile->`,
];

/** Bare words with which the switch compares settings. Only words without separators: others of this kind are not variables. */
const SETTINGS = [`strn?(?:case)?cmp\\(\\s*(?:[a-z]+->key|(?:[a-z]+->)?string|var)\\s*,\\s*"([A-Za-z]+)"`];

/** Variables that the switch's example configuration sets for accounts. */
const ACCOUNT_VARIABLES = ['<variable name="([^"]+)"'];

/** Calls with a prefix of names. */
const PREFIXES = [
  `switch_channel_(?:execute_on|api_on|del_variable_prefix|transfer_variable_prefix|get_variables_prefix)[a-z_]*\\(\\s*(?:[^,"()]|\\([^()]*\\))*,\\s*(?:[a-z_]+,\\s*)?${ARGUMENT}`,
  `strn(?:case)?cmp\\(\\s*(?:[a-z_]*var(?:_?name)?|hi->name)\\s*,\\s*${ARGUMENT}`,
  `sofia_glue_(?:set_extra_headers|get_extra_headers)[a-z_]*\\(\\s*[^,"]*,(?:\\s*[^,"]*,)?\\s*${ARGUMENT}`,
];

/** Formatted names: `rtp_%s_ip`. */
const FORMATS = [
  `switch_s?n?printf\\(\\s*[a-z_]*(?:var|vname|varname|var_name)[a-z_]*\\s*,[^"]{1,60}${LITERAL}`,
  `switch_mprintf\\(\\s*"((?:sip|rtp|conference)_[^"]*)"`,
  `switch_channel_set_variable_name_printf\\(\\s*(?:[^,"()]|\\([^()]*\\))*,\\s*(?:[^"]*?),\\s*${LITERAL}`,
];

/** Macros whose value is a name or a prefix of names, used or not. */
const DEFINITION = new RegExp(`^\\s*#\\s*define\\s+([A-Z][A-Z0-9_]+)\\s+${LITERAL}`, 'gm');
const NAMES_VARIABLE = /_(?:VARIABLE|VARS|VAR|PREFIX|PREFIX_T)$/;

interface Sources {
  text: string;
  /** Example configuration of accounts. */
  accounts: string;
  macros: ReadonlyMap<string, string>;
}

async function readSources(root: string): Promise<Sources> {
  const texts = await Promise.all(
    FOLDERS.map(async folder => {
      const files = (await readdir(join(root, folder))).filter(file => /\.(?:c|h|cpp)$/.test(file)).sort();
      return Promise.all(files.map(file => readFile(join(root, folder, file), 'utf8')));
    }),
  );
  const text = texts.flat().join('\n');
  const accounts = await readFile(join(root, 'conf/vanilla/directory/default/1000.xml'), 'utf8');
  return { text, accounts, macros: new Map(Array.from(text.matchAll(DEFINITION), ([, name = '', value = '']) => [name, value])) };
}

function argumentsOf({ text, macros }: Pick<Sources, 'text' | 'macros'>, patterns: readonly string[]): string[] {
  return patterns.flatMap(pattern =>
    Array.from(text.matchAll(new RegExp(pattern, 'g')), ([, literal, macro]) => literal ?? macros.get(macro ?? '') ?? ''),
  );
}

/** Sorted names, in lower case because the switch ignores case. */
function namesOf(sources: Sources): string[] {
  const named = [...sources.macros].filter(([macro]) => NAMES_VARIABLE.test(macro)).map(([, value]) => value);
  const found = [
    ...argumentsOf(sources, LOOKUPS),
    ...argumentsOf(sources, SETTINGS),
    ...argumentsOf({ ...sources, text: sources.accounts }, ACCOUNT_VARIABLES),
    ...named.map(value => (value.endsWith('_') ? `${value}*` : value)),
    ...argumentsOf(sources, PREFIXES).map(prefix => `${prefix}*`),
    ...argumentsOf(sources, FORMATS)
      .filter(format => format.includes('%'))
      .map(format => format.replaceAll(/%[-.*\d]*[a-z]+/g, '*')),
  ];
  const names = found.map(name => name.toLowerCase()).filter(name => NAME.test(name) && /[a-z]{2}/.test(name.split('*')[0] ?? ''));
  return [...new Set(names)].sort();
}

const root = process.argv[2];
if (root === undefined) throw new Error('name the folder of the sources of FreeSWITCH');
const version = (await readFile(join(root, 'build/next-release.txt'), 'utf8')).trim();
const made =
  'by tools/switch/read-switch-variables.ts: literals and macros that the core and the modules named there look up, write or compare as names of channel variables; * stands for what they form at run time';
process.stdout.write(`${JSON.stringify({ freeswitch: version, made, names: namesOf(await readSources(root)) }, null, 2)}\n`);
