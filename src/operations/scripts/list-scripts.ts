import type { Page } from '#ports/records.ts';
import type { ScriptStore, ScriptWithBody } from '#ports/script-store.ts';

/** Source: OCS 4.3 */
export function listScripts(
  deps: { scripts: Pick<ScriptStore, 'list'> },
  query: Parameters<ScriptStore['list']>[0],
): Promise<Page<ScriptWithBody>> {
  return deps.scripts.list(query);
}
