import { sql } from 'kysely';
import type { AuditPart } from '#audit/audit.ts';
import type { Caller } from '#kernel/caller.ts';
import { conflict, invalidInput, notFound } from '#kernel/errors.ts';
import type { Platform } from '#platform/platform.ts';
import type { Sql } from '#platform/postgres/database.ts';
import { ids, json } from '#platform/postgres/values.ts';
import type { ScriptGraph } from '#protocol/script.ts';
import { scriptFault } from './decisions/script-faults.ts';
import type { ScriptVersion } from './script.ts';
import { keepVersion, type Publication, saveScript } from './script-store.ts';

/** A script under edit, valid or not. */
export interface ScriptDraft {
  scriptId: number;
  /** From 1; each save is the next. */
  revision: number;
  /** Version that it began with. */
  basedOn: number;
  body: ScriptGraph;
  updatedBy: number | null;
  /** UTC ms. */
  updatedAt: number;
}

export interface DraftInput {
  /** Revision that the editor has shown; 0: it knew of no draft. */
  revision: number;
  graph: ScriptGraph;
}

type DraftsApp = AuditPart & Pick<Platform, 'db'>;

const COLUMNS = sql`d.script_id, d.revision, d.based_on, d.body, d.updated_by, d.updated_at`;

export function readDrafts({ db }: { db: Sql }, scriptIds: readonly number[]): Promise<ScriptDraft[]> {
  return db.rows(sql<ScriptDraft>`select ${COLUMNS} from script_draft d where d.script_id = any(${ids(scriptIds)})`);
}

/**
 * Keeps what an editor shows as the script's draft. Nothing is audited: calls never see a draft, and its publication is.
 *
 * Errors: NOT_FOUND; CONFLICT (CHANGED_MEANWHILE) when somebody else has saved or discarded since
 * Source: D11 "drafts"
 */
export async function saveScriptDraft({ db }: DraftsApp, caller: Caller, scriptId: number, input: DraftInput): Promise<ScriptDraft> {
  const { revision, graph } = input;
  const saved = await db.first(
    revision === 0
      ? sql<ScriptDraft>`
          insert into script_draft as d (script_id, based_on, body, updated_by)
          select s.id, s.current_version, ${json(graph)}, ${caller.userId} from script s where s.id = ${scriptId} and s.deleted_at is null
          on conflict (script_id) do nothing returning ${COLUMNS}`
      : sql<ScriptDraft>`
          update script_draft d set body = ${json(graph)}, revision = d.revision + 1, updated_by = ${caller.userId}
          from script s where d.script_id = ${scriptId} and d.revision = ${revision} and s.id = d.script_id and s.deleted_at is null
          returning ${COLUMNS}`,
  );
  return saved ?? refuse(db, scriptId);
}

/**
 * Throws a draft away; without one nothing happens.
 *
 * Errors: NOT_FOUND; CONFLICT (CHANGED_MEANWHILE)
 */
export async function discardScriptDraft({ db }: DraftsApp, scriptId: number, revision: number): Promise<void> {
  const gone = await db.first(sql<{ scriptId: number }>`
    delete from script_draft where script_id = ${scriptId} and revision = ${revision} returning script_id`);
  if (!gone && (await draftOf(db, scriptId)) !== null) await refuse(db, scriptId);
}

/**
 * Makes the draft the script's next version and puts it in force, unless nothing shall change for calls.
 *
 * Errors: NOT_FOUND without a draft; CONFLICT (CHANGED_MEANWHILE); INVALID_ARGUMENT naming the node
 * Source: D11
 */
export async function publishScript(app: DraftsApp, caller: Caller, scriptId: number, given: Publication): Promise<ScriptVersion> {
  const draft = await draftOf(app.db, scriptId);
  if (draft === null) throw notFound('话术草稿');
  if (draft.revision !== given.revision) throw changedMeanwhile();
  const fault = scriptFault(draft.body);
  if (fault) throw invalidInput([fault]);
  const head = await scriptHead(app.db, scriptId);
  if (head.isEnabled && !given.isActivated) return keepVersion(app, caller, { scriptId, graph: draft.body, of: given });
  return saveScript(app, caller, { ...draft.body, ...head, id: scriptId, isEnabled: given.isActivated }, given);
}

export async function draftOf(db: Sql, scriptId: number): Promise<ScriptDraft | null> {
  return (await readDrafts({ db }, [scriptId]))[0] ?? null;
}

async function scriptHead(db: Sql, scriptId: number) {
  const head = await db.first(sql<{ name: string; businessCode: string; description: string; isEnabled: boolean }>`
    select name, business_code, description, is_enabled from script where id = ${scriptId} and deleted_at is null`);
  if (!head) throw notFound('话术脚本');
  return head;
}

async function refuse(db: Sql, scriptId: number): Promise<never> {
  await scriptHead(db, scriptId);
  throw changedMeanwhile();
}

const changedMeanwhile = () => conflict('CHANGED_MEANWHILE', '草稿已被他人修改，请核对后重试');
