import { notFound } from '#kernel/errors.ts';
import type { RuntimeScript, ScriptStore } from '#ports/script-store.ts';

/**
 * What the call-flow runtime executes: the current version, or the one that an attempt is pinned to, which outlives the script's deletion.
 *
 * Errors: NOT_FOUND
 * Source: OCS 4.3, D5.7, D11
 */
export async function getRuntimeScript(
  deps: { scripts: Pick<ScriptStore, 'findRuntime'> },
  scriptId: number,
  version: number | null,
): Promise<RuntimeScript> {
  const script = await deps.scripts.findRuntime(scriptId, version);
  if (script === null) throw notFound(version === null ? '话术脚本' : `话术脚本版本 ${version} `);
  return script;
}
