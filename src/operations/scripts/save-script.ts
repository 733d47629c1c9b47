import { invalidArgument, notFound } from '#kernel/errors.ts';
import type { SavedScript, ScriptStore } from '#ports/script-store.ts';
import { compileRuntime } from '#rules/scripts/compile-runtime.ts';
import type { ScriptGraph } from '#rules/scripts/script.ts';
import { scriptFault } from '#rules/scripts/validate-script.ts';
import { type AuditDeps, audit, auditChange } from '../access/audit.ts';
import { changeOf } from '../access/audited-change.ts';
import type { Caller } from '../access/caller.ts';

export interface SaveScriptDeps extends AuditDeps {
  scripts: Pick<ScriptStore, 'save'>;
}

export interface ScriptInput extends ScriptGraph {
  /** Null writes a new script. */
  id: number | null;
  name: string;
  businessCode: string;
  description: string;
  isEnabled: boolean;
}

/**
 * Writes a new script, or the next immutable version of one.
 *
 * Errors: INVALID_ARGUMENT naming the node; NOT_FOUND when the script to save does not exist
 * Source: OCS 4.3, D11
 */
export async function saveScript(deps: SaveScriptDeps, caller: Caller, input: ScriptInput): Promise<SavedScript> {
  const { id, name, businessCode, description, isEnabled, ...graph } = input;
  const fault = scriptFault(graph);
  if (fault) throw invalidArgument(fault.field, fault.problem);
  const draft = { scriptId: id, name, businessCode, description, isEnabled, body: graph, createdBy: caller.userId };
  const saved = await deps.scripts.save(draft, identity => {
    const runtime = compileRuntime({ ...graph, ...identity });
    return { hash: runtime.hash, runtime };
  });
  if (saved === null) throw notFound('话术脚本');
  await tell(deps, caller, saved);
  return saved;
}

/** Of an edit the versions with their hashes: both stay readable. */
async function tell(deps: AuditDeps, caller: Caller, { before, script, hash }: SavedScript): Promise<void> {
  const { currentVersion: version, businessCode, isEnabled } = script;
  const place = { targetType: 'script', targetId: script.id } as const;
  const name = `话术脚本「${script.name}」版本 ${version}`;
  if (before === null) {
    await audit(deps, caller, {
      action: 'script.created',
      ...place,
      summary: `新建${name}`,
      detail: { version, hash, businessCode, isEnabled },
    });
    return;
  }
  const entry = { action: 'script.updated', ...place, summary: `保存${name}` } as const;
  await auditChange(deps, caller, entry, changeOf({ ...before.script, hash: before.hash }, { ...script, hash }));
}
