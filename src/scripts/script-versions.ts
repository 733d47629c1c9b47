import { serialize } from '@mikro-orm/core';
import { sql } from 'kysely';
import type { Sql } from '#platform/postgres/database.ts';
import { ids } from '#platform/postgres/values.ts';
import { notFound } from '#kernel/errors.ts';
import type { JsonObject } from '#kernel/json.ts';
import type { ScriptVersion } from './script.ts';
import { auditChange, changeOf } from '#audit/audit.ts';
import type { Caller } from '#kernel/caller.ts';
import { requireRow } from '#platform/postgres/listing.ts';
import { SCRIPT_TABLE, type ScriptDeps, ScriptVersionEntity, lockScript } from './management-scripts.ts';

/** Most versions of one script in a response, newest first. */
const MAX_LISTED = 200;

/** A saved version of a script without its body, which `readVersionBodies` reads. */
export interface WrittenVersion {
  id: number;
  scriptId: number;
  version: number;
  hash: string;
  /** Whether this is the script's current version. */
  isCurrent: boolean;
  createdBy: number | null;
  /** UTC ms. */
  createdAt: number;
}

/** Returns the newest 200 versions of each script, newest first. */
export function readVersions({ db }: { db: Sql }, scriptIds: readonly number[]): Promise<WrittenVersion[]> {
  return db.rows(sql<WrittenVersion>`
    select v.id, v.script_id, v.version, v.hash, v.version = s.current_version as is_current, v.created_by, v.created_at
    from script s cross join lateral (
      select * from script_version where script_id = s.id order by version desc limit ${MAX_LISTED}) v
    where s.id = any(${ids(scriptIds)})
    order by v.script_id, v.version desc`);
}

/** Returns the bodies of versions: nodes, variables, phrases, nlu, resultRules, entryNodeId. */
export function readVersionBodies({ db }: { db: Sql }, versionIds: readonly number[]): Promise<{ id: number; body: JsonObject }[]> {
  return db.rows(sql<{ id: number; body: JsonObject }>`select id, body from script_version where id = any(${ids(versionIds)})`);
}

/** Returns the script that campaigns of each business use: the newest enabled one. Source: D5.7 */
export function readTakenScripts({ db }: { db: Sql }, businessCodes: readonly string[]): Promise<{ businessCode: string; id: number }[]> {
  return db.rows(sql<{ businessCode: string; id: number }>`
    select distinct on (business_code) business_code, id from script
    where business_code = any(${[...businessCodes]}::text[]) and is_enabled and deleted_at is null
    order by business_code, id desc`);
}

/**
 * Makes a version of a script the current one, also an older one, and enables the script; calls in progress keep their version.
 *
 * Shape:  `version` null keeps the current version
 * Errors: NOT_FOUND when the script or its version does not exist
 * Source: D5.7, D11
 */
export async function activateScript(deps: ScriptDeps, caller: Caller, scriptId: number, version: number | null): Promise<ScriptVersion> {
  const change = { isEnabled: true, ...(version === null ? {} : { currentVersion: version }) };
  return moveScript(deps, caller, { scriptId, action: 'script.activated', verb: '启用', change });
}

/**
 * Disables a script: campaigns stop using it with their next dial.
 *
 * Errors: NOT_FOUND
 */
export async function deactivateScript(deps: ScriptDeps, caller: Caller, scriptId: number): Promise<ScriptVersion> {
  return moveScript(deps, caller, { scriptId, action: 'script.deactivated', verb: '停用', change: { isEnabled: false } });
}

interface Move {
  scriptId: number;
  action: 'script.activated' | 'script.deactivated';
  /** The verb of the audit summary, in Chinese. */
  verb: string;
  change: { isEnabled: boolean; currentVersion?: number };
}

async function moveScript(deps: ScriptDeps, caller: Caller, { scriptId, action, verb, change }: Move): Promise<ScriptVersion> {
  const { before, after } = await deps.db.transaction(async ({ em }) => {
    const script = await lockScript(em, scriptId);
    const before = serialize(script);
    const { currentVersion: version = before.currentVersion } = change;
    const known = await em.findOne(ScriptVersionEntity, { scriptId, version }, { fields: ['id'] });
    if (known === null) throw notFound(`话术脚本版本 ${version} `);
    em.assign(script, change);
    await em.flush();
    return { before, after: serialize(script) };
  });
  const summary = `${verb}话术脚本「${after.name}」版本 ${after.currentVersion}`;
  await auditChange(deps, caller, { action, targetType: 'script', targetId: scriptId, summary }, changeOf(before, after));
  return requireRow(deps, SCRIPT_TABLE, scriptId, '话术脚本');
}
