import type { z } from 'zod';
import type { IdSource } from '#kernel/ids.ts';
import { fieldPath } from '../http/parse.ts';
import { isSecretPath, maskUrl } from './secrets.ts';
import { type Config, configShape } from './shape.ts';

type Kind = 'text' | 'integer' | 'flag';

/** Environment variables with the setting that each overrides. Source: D1.2 */
const VARIABLES: Readonly<Record<string, readonly [path: string, kind: Kind]>> = {
  CALLOUT_HOST: ['server.host', 'text'],
  CALLOUT_PORT: ['server.port', 'integer'],
  CALLOUT_DATABASE_URL: ['database.url', 'text'],
  CALLOUT_DATABASE_MIGRATION_URL: ['database.migrationUrl', 'text'],
  CALLOUT_DATABASE_REPORT_URL: ['database.reportUrl', 'text'],
  CALLOUT_REDIS_URL: ['cache.url', 'text'],
  CALLOUT_NATS_URL: ['bus.url', 'text'],
  CALLOUT_AUTH_ENABLED: ['auth.enabled', 'flag'],
  CALLOUT_AUTH_BOOTSTRAP_ADMIN_USERNAME: ['auth.bootstrapAdminUsername', 'text'],
  CALLOUT_AUTH_BOOTSTRAP_ADMIN_PASSWORD: ['auth.bootstrapAdminPassword', 'text'],
  CALLOUT_INTERNAL_TOKEN: ['server.serviceApi.authToken', 'text'],
  CALLOUT_INTERNAL_OPEN: ['server.serviceApi.open', 'flag'],
  CALLOUT_AGENT_SECRET_KEY: ['agents.secretKey', 'text'],
  CALLOUT_PUBLIC_URL: ['server.publicUrl', 'text'],
  CALLOUT_TIMEZONE: ['server.timezone', 'text'],
  CALLOUT_REGION: ['server.region', 'text'],
  CALLOUT_NLU_URL: ['nlu.url', 'text'],
  CALLOUT_LOG_LEVEL: ['server.logLevel', 'text'],
  CALLOUT_INSTANCE_ID: ['server.instanceId', 'text'],
  CALLOUT_NLU_HOST: ['nlu.host', 'text'],
  CALLOUT_NLU_PORT: ['nlu.port', 'integer'],
  CALLOUT_NLU_TOKEN: ['nlu.token', 'text'],
};

type Environment = Readonly<Record<string, string | undefined>>;

interface Override {
  variable: string;
  path: string;
  value: unknown;
}

/** Settings from the environment; an empty variable counts as unset. */
function overridesOf(env: Environment): Override[] {
  return Object.entries(VARIABLES).flatMap(([variable, [path, kind]]) => {
    const text = env[variable];
    return text === undefined || text === '' ? [] : [{ variable, path, value: READ[kind](text) }];
  });
}

/** A text that is not an integer or a flag is returned unchanged, so that the fault shows the original. */
const READ: Record<Kind, (text: string) => unknown> = {
  text: text => text,
  integer: text => (/^-?\d{1,15}$/.test(text) ? Number(text) : text),
  flag: text => FLAGS[text.toLowerCase()] ?? text,
};

const FLAGS: Record<string, boolean> = { true: true, false: false, 1: true, 0: false };

/** Variables of other roles and tools, which are not misspellings. */
const OTHER_VARIABLES = /^CALLOUT_(CONFIG|SWITCH_\w+|RUNTIME_\w+|TEST_\w+|NLU_TIMEOUT_MS)$/;

/** Unknown `CALLOUT_…` variables, probably misspelt. */
export function unknownVariables(env: Environment): string[] {
  return Object.keys(env).filter(name => name.startsWith('CALLOUT_') && !Object.hasOwn(VARIABLES, name) && !OTHER_VARIABLES.test(name));
}

const MAX_SHOWN = 80;

/**
 * One readable line per fault: path, value found, values allowed.
 *
 * Source: D1.1
 */
function describeFaults(error: z.ZodError, raw: unknown, overrides: readonly Override[]): string[] {
  return error.issues.flatMap(issue => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map(key => `${fieldPath([...issue.path, key])}: found an unknown key, allowed: ${issue.message}`);
    }
    const path = fieldPath(issue.path);
    const variable = overrides.find(override => override.path === path)?.variable;
    const where = variable === undefined ? path || 'configuration' : `${variable} (${path})`;
    return [`${where}: found ${describeFound(issue.path, raw)}, allowed: ${issue.message}`];
  });
}

function describeFound(path: readonly PropertyKey[], raw: unknown): string {
  const found = path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    raw,
  );
  if (found === undefined) return 'nothing';
  if (isSecretPath(path) && found !== '') return 'a secret (not shown)';
  const shown = typeof found === 'string' ? JSON.stringify(maskUrl(found)) : (JSON.stringify(found) ?? typeof found);
  return shown.length > MAX_SHOWN ? `${shown.slice(0, MAX_SHOWN)}…` : shown;
}

interface StartWarning {
  level: 'warn' | 'error';
  message: string;
}

/** Warnings of the start log about a valid but risky configuration (D1.4). */
export function startWarnings(config: Config, env: Environment): StartWarning[] {
  const warnings: StartWarning[] = [];
  const add = (level: StartWarning['level'], message: string) => warnings.push({ level, message });
  if (internalAccessOf(config) === 'open') {
    const exposed = !isLoopback(config.server.host);
    add(
      exposed ? 'error' : 'warn',
      `server.serviceApi.authToken is empty or CALLOUT_INTERNAL_OPEN is set: internal endpoints let every request through${exposed ? `, and ${config.server.host} is reachable from other machines` : ''}`,
    );
  }
  if (!config.auth.enabled) add('warn', 'auth.enabled is false: everybody is an administrator');
  if (!config.cells.some(cell => cell.isEnabled)) add('warn', 'cells has no enabled entry: nothing can be dialled');
  for (const name of unknownVariables(env)) add('warn', `${name} is not a variable of this program`);
  return warnings;
}

/** Access to the internal endpoints: `written` and `made` require the configured or the generated token, `open` requires none. Source: D1.4 */
export function internalAccessOf({ server }: Pick<Config, 'server'>): 'written' | 'made' | 'open' {
  const { authToken, open } = server.serviceApi;
  if (authToken !== null && authToken !== '') return 'written';
  if (authToken === '' || open) return 'open';
  return isLoopback(server.host) ? 'open' : 'made';
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|::1|\[::1\])$/i;

function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}

interface ConfigSources {
  env: Environment;
  /** Rejects when the file cannot be read. */
  readFile: (path: string) => Promise<string>;
  ids: IdSource;
}

export type ConfigResult = { ok: true; config: Config } | { ok: false; faults: string[] };

/**
 * The effective configuration: defaults, overridden by the file that `CALLOUT_CONFIG` names, then by the environment.
 *
 * Shape:  `faults` has one readable line per fault, never a secret
 * Source: D1
 */
export async function readConfig(sources: ConfigSources): Promise<ConfigResult> {
  const file = await readConfigFile(sources);
  if ('fault' in file) return { ok: false, faults: [file.fault] };
  const overrides = overridesOf(sources.env);
  const raw = applyOverrides(withWrittenToken(file.content, sources.env), overrides);
  const parsed = configShape.safeParse(raw);
  if (!parsed.success) return { ok: false, faults: describeFaults(parsed.error, raw, overrides) };
  const instanceId = parsed.data.server.instanceId ?? sources.ids().slice(0, 8);
  return { ok: true, config: { ...parsed.data, server: { ...parsed.data.server, instanceId } } };
}

type FileContent = { content: Record<string, unknown> } | { fault: string };

async function readConfigFile({ env, readFile }: ConfigSources): Promise<FileContent> {
  const path = env['CALLOUT_CONFIG'];
  if (path === undefined || path === '') return { content: {} };
  try {
    const content: unknown = await parseFile(path, await readFile(path));
    if (content === null || content === undefined) return { content: {} };
    if (typeof content === 'object' && !Array.isArray(content)) return { content: withoutEmptySections(content) };
    return { fault: `CALLOUT_CONFIG: found ${path} with no object at its top, allowed: a JSON or YAML object` };
  } catch (error) {
    return { fault: `CALLOUT_CONFIG: found ${path}, which cannot be read: ${firstLineOf(error)}` };
  }
}

/** A section without content, such as a bare `media:`, is null in YAML and means its defaults. */
function withoutEmptySections(content: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(content).filter(([, value]) => value !== null));
}

async function parseFile(path: string, text: string): Promise<unknown> {
  const isJson = path.endsWith('.json');
  try {
    return isJson ? JSON.parse(text) : (await import('yaml')).parse(text);
  } catch (error) {
    // Parsers quote the offending text, which may be a secret: report the position only (D1.1).
    const [place = ''] = / at (?:position \d+ \()?line \d+,? column \d+/.exec(firstLineOf(error)) ?? [];
    throw new Error(`it is no valid ${isJson ? 'JSON' : 'YAML'}${place.replace(/position \d+ \(/, '')}`);
  }
}

function firstLineOf(error: unknown): string {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return line;
}

/**
 * Distinguishes an internal token that is explicitly empty, also in the environment, from an absent one (D1.4).
 *
 * Why: an empty variable, like any other, must not override a value of the file
 */
function withWrittenToken(content: Record<string, unknown>, env: Environment): Record<string, unknown> {
  if (env['CALLOUT_INTERNAL_TOKEN'] !== '') return content;
  const root = structuredClone(content);
  const serviceApi = childOf(childOf(root, 'server'), 'serviceApi');
  serviceApi['authToken'] ??= '';
  return root;
}

function applyOverrides(content: Record<string, unknown>, overrides: readonly Override[]): Record<string, unknown> {
  const root = structuredClone(content);
  for (const { path, value } of overrides) {
    const keys = path.split('.');
    const last = keys.pop() ?? path;
    let target = root;
    for (const key of keys) target = childOf(target, key);
    target[last] = value;
  }
  return root;
}

function childOf(parent: Record<string, unknown>, key: string): Record<string, unknown> {
  const child = parent[key];
  // The keys come from VARIABLES and the values from JSON: a plain object, or something that the schema rejects.
  if (typeof child === 'object' && child !== null && !Array.isArray(child)) return child as Record<string, unknown>;
  const made: Record<string, unknown> = {};
  parent[key] = made;
  return made;
}
