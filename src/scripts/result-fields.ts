import { type RawBuilder, sql } from 'kysely';
import type { Sql } from '#platform/postgres/database.ts';
import { intIds } from '#platform/postgres/values.ts';
import type { ResultField } from './decisions/result-field.ts';

/** The version of a script that a call ran. */
export interface RunVersion {
  scriptId: number;
  version: number;
}

export interface VersionFields extends RunVersion {
  fields: ResultField[];
}

const NO_FIELDS: readonly ResultField[] = [];
/** Most versions whose fields are remembered: more than the campaigns of a server use at once. */
const MAX_REMEMBERED = 1_000;

export const versionKey = ({ scriptId, version }: RunVersion): string => `${scriptId}:${version}`;

/** The reverse of `versionKey`. */
export function versionOf(key: string): RunVersion {
  const [scriptId, version] = key.split(':');
  return { scriptId: Number(scriptId), version: Number(version) };
}

/** The fields that each of these versions declares; a version that does not exist has no row. Source: D11 */
export function fieldsOfVersions(versions: readonly RunVersion[]): RawBuilder<VersionFields> {
  return sql<VersionFields>`
    select v.script_id, v.version, coalesce(v.body #> '{nlu,fields}', '[]'::jsonb) as fields
    from unnest(${intIds(versions.map(({ scriptId }) => scriptId))}, ${intIds(versions.map(({ version }) => version))}) as asked (script_id, version)
    join script_version v on v.script_id = asked.script_id and v.version = asked.version`;
}

/** The fields that the call's script declares, as in the version that the call ran; none for a call without a script. */
export async function resultFields(
  db: Sql,
  { scriptId, scriptVersion }: { scriptId: number | null; scriptVersion: number | null },
): Promise<readonly ResultField[]> {
  if (scriptId === null || scriptVersion === null) return NO_FIELDS;
  return (await db.first(fieldsOfVersions([{ scriptId, version: scriptVersion }])))?.fields ?? NO_FIELDS;
}

/** Versions of a script whose fields are offered; older ones are rarely asked for. */
const RECENT_VERSIONS = 50;
const MAX_DECLARED = 100;

/**
 * The fields of the scripts of a business, or of all: what lists offer as filters and columns. Each key once, as the newest version says it.
 *
 * Shape: in the order of the keys, at most 100
 */
export function readDeclaredFields({ db }: { db: Sql }, { campaignId }: { campaignId: number | null }): Promise<ResultField[]> {
  const isAsked = campaignId === null ? sql`true` : sql`s.business_code = (select business_code from campaign where id = ${campaignId})`;
  return db.rows(sql<ResultField>`
    select distinct on (f.value ->> 'key') f.value ->> 'key' as key, f.value ->> 'label' as label, f.value ->> 'type' as type
    from script s
    cross join lateral (select version, body from script_version where script_id = s.id order by version desc limit ${RECENT_VERSIONS}) v
    cross join lateral jsonb_array_elements(v.body #> '{nlu,fields}') f
    where ${isAsked}
    order by f.value ->> 'key', s.deleted_at is null desc, s.id desc, v.version desc limit ${MAX_DECLARED}`);
}

/** The keys under which some version of some script keeps a phone number, deleted scripts too: their calls may be there still. */
export async function readNumberKeys({ db }: { db: Sql }): Promise<string[]> {
  const rows = await db.rows(sql<{ key: string }>`
    select distinct f.value ->> 'key' as key from script_version v cross join lateral jsonb_array_elements(v.body #> '{nlu,fields}') f
    where f.value ->> 'type' = 'phone'`);
  return rows.map(({ key }) => key);
}

/**
 * Remembers the fields of versions, so that results of calls read a script once.
 *
 * Why: a version never changes after it was saved
 */
export class RememberedFields {
  readonly #known = new Map<string, readonly ResultField[]>();

  /** Calls `read` for the versions that are not remembered, if there are any. */
  async of(
    versions: readonly RunVersion[],
    read: (missing: readonly RunVersion[]) => Promise<readonly VersionFields[]>,
  ): Promise<(version: RunVersion | null) => readonly ResultField[]> {
    const asked = new Map(versions.map(version => [versionKey(version), version]));
    const missing = [...asked].flatMap(([key, version]) => (this.#known.has(key) ? [] : [version]));
    if (missing.length > 0) for (const found of await read(missing)) this.#remember(found);
    const known = new Map([...asked.keys()].map(key => [key, this.#known.get(key) ?? NO_FIELDS]));
    return version => (version === null ? NO_FIELDS : (known.get(versionKey(version)) ?? NO_FIELDS));
  }

  #remember({ fields, ...version }: VersionFields): void {
    if (this.#known.size >= MAX_REMEMBERED) this.#known.clear();
    this.#known.set(versionKey(version), fields);
  }
}
