import { notFound } from '#kernel/errors.ts';
import type { ScriptStore } from '#ports/script-store.ts';
import { type AuditDeps, audit } from '../access/audit.ts';
import type { Caller } from '../access/caller.ts';

export interface DeleteScriptDeps extends AuditDeps {
  scripts: Pick<ScriptStore, 'softDelete'>;
}

/**
 * Hides a script; attempts keep the versions they used.
 *
 * Errors: NOT_FOUND
 * Source: OCS 4.3
 */
export async function deleteScript(deps: DeleteScriptDeps, caller: Caller, scriptId: number): Promise<void> {
  const script = await deps.scripts.softDelete(scriptId);
  if (script === null) throw notFound('话术脚本');
  await audit(deps, caller, {
    action: 'script.deleted',
    targetType: 'script',
    targetId: scriptId,
    summary: `删除话术脚本「${script.name}」`,
    detail: { version: script.currentVersion, businessCode: script.businessCode },
  });
}
