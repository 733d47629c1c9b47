import { type RawBuilder, sql } from 'kysely';
import type { ScriptQuery } from '#ports/graph-store.ts';
import type { JsonObject, Page, Script } from '#ports/records.ts';
import type { CompileScript, RuntimeScript, SavedScript, ScriptDraft, ScriptStore, ScriptWithBody } from '#ports/script-store.ts';
import type { Database, Sql } from './database.ts';
import { anywhere } from './search.ts';
import { json } from './values.ts';

export const SCRIPT_COLUMNS = sql`
  s.id, s.name, s.business_code as "businessCode", s.description, s.is_enabled as "isEnabled", s.current_version as "currentVersion",
  s.created_at as "createdAt", s.updated_at as "updatedAt"`;

export function scriptRepository(db: Database): ScriptStore {
  return {
    list: query => listScripts(db, query),
    save: (draft, compile) => db.transaction(inside => saveScript(inside, draft, compile)),
    async softDelete(scriptId) {
      const removed = await db.first(sql<Script>`
        update script s set deleted_at = now() where s.id = ${scriptId} and s.deleted_at is null returning ${SCRIPT_COLUMNS}`);
      return removed ?? null;
    },
    findRuntime: (scriptId, version) => findRuntime(db, scriptId, version),
  };
}

async function listScripts(db: Sql, query: Parameters<ScriptStore['list']>[0]): Promise<Page<ScriptWithBody>> {
  const { q, businessCode, page, pageSize } = query;
  const where = scriptMatches({ q, businessCode });
  const counted = await db.first(sql<{ total: number }>`select count(*) as total from script s where ${where}`);
  const rows = await db.rows(sql<Script & { hash: string; body: JsonObject }>`
    select ${SCRIPT_COLUMNS}, v.hash, v.body from script s
    join script_version v on v.script_id = s.id and v.version = s.current_version
    where ${where} order by s.id desc limit ${pageSize} offset ${(page - 1) * pageSize}`);
  return { rows: rows.map(({ hash, body, ...script }) => ({ script, hash, body })), page, pageSize, total: counted?.total ?? 0 };
}

/** Over the alias `s`; an empty text matches all. */
export function scriptMatches({ q, businessCode }: ScriptQuery): RawBuilder<unknown> {
  const pattern = anywhere(q);
  return sql`s.deleted_at is null
    and ${q === '' ? sql`true` : sql`(s.name ilike ${pattern} or s.business_code ilike ${pattern} or s.description ilike ${pattern})`}
    and ${businessCode === null ? sql`true` : sql`s.business_code = ${businessCode}`}`;
}

/** The script's row is locked while its next version is written, so versions have no gap and no twin. */
async function saveScript(inside: Sql, draft: ScriptDraft, compile: CompileScript): Promise<SavedScript | null> {
  const before = draft.scriptId === null ? null : await lockScript(inside, draft.scriptId);
  if (before === undefined) return null;
  const script = before === null ? await insertScript(inside, draft) : await advanceScript(inside, before.script.id, draft);
  if (!script) throw new Error('a written script was not returned');
  const version = script.currentVersion;
  const { hash, runtime } = compile({ id: script.id, version });
  const written = await inside.first(sql<{ body: JsonObject }>`
    insert into script_version (script_id, version, hash, body, runtime, created_by)
    values (${script.id}, ${version}, ${hash}, ${json(draft.body)}, ${json(runtime)}, ${draft.createdBy}) returning body`);
  if (!written) throw new Error('an insert returned no row');
  return { script, hash, body: written.body, before };
}

async function lockScript(inside: Sql, scriptId: number): Promise<SavedScript['before'] | undefined> {
  const script = await inside.first(sql<Script>`
    select ${SCRIPT_COLUMNS} from script s where s.id = ${scriptId} and s.deleted_at is null for update`);
  if (!script) return undefined;
  const version = await inside.first(sql<{ hash: string }>`
    select hash from script_version where script_id = ${scriptId} and version = ${script.currentVersion}`);
  return { script, hash: version?.hash ?? '' };
}

function insertScript(inside: Sql, draft: ScriptDraft): Promise<Script | undefined> {
  return inside.first(sql<Script>`
    insert into script as s (name, business_code, description, is_enabled)
    values (${draft.name}, ${draft.businessCode}, ${draft.description}, ${draft.isEnabled}) returning ${SCRIPT_COLUMNS}`);
}

function advanceScript(inside: Sql, scriptId: number, draft: ScriptDraft): Promise<Script | undefined> {
  return inside.first(sql<Script>`
    update script s set name = ${draft.name}, business_code = ${draft.businessCode}, description = ${draft.description},
      is_enabled = ${draft.isEnabled}, current_version = s.current_version + 1
    where s.id = ${scriptId} and s.deleted_at is null returning ${SCRIPT_COLUMNS}`);
}

async function findRuntime(db: Sql, scriptId: number, version: number | null): Promise<RuntimeScript | null> {
  const which = version === null ? sql`v.version = s.current_version and s.deleted_at is null` : sql`v.version = ${version}`;
  const row = await db.first(sql<RuntimeScript>`
    select v.hash, v.runtime from script s join script_version v on v.script_id = s.id where s.id = ${scriptId} and ${which}`);
  return row ?? null;
}
