import type { IdSource } from '#kernel/ids.ts';
import { type Environment, type Override, overridesOf } from './environment.ts';
import { describeFaults } from './faults.ts';
import { type Config, configShape } from './shape.ts';

export interface ConfigSources {
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
