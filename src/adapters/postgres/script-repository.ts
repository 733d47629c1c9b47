import { sql } from 'kysely';
import type { Script } from '#ports/records.ts';
import type { JsonObject } from '#kernel/json.ts';
import type { CompileScript, RuntimeScript, SavedScript, ScriptDraft, ScriptStore } from '#ports/script-store.ts';
import type { Database, Sql } from './database.ts';
import { json } from './values.ts';

export const SCRIPT_COLUMNS = sql`
  s.id, s.name, s.business_code as "businessCode", s.description, s.is_enabled as "isEnabled", s.current_version as "currentVersion",
  s.created_at as "createdAt", s.updated_at as "updatedAt"`;

export function scriptRepository(db: Database): ScriptStore {
  return {
    save: (draft, compile) => db.transaction(inside => saveScript(inside, draft, compile)),
    async softDelete(scriptId) {
      const removed = await db.first(sql<Script>`
        update script s set deleted_at = now() where s.id = ${scriptId} and s.deleted_at is null returning ${SCRIPT_COLUMNS}`);
      return removed ?? null;
    },
    findRuntime: (scriptId, version) => findRuntime(db, scriptId, version),
  };
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
