import type { Script } from './records.ts';
import type { JsonObject } from '#kernel/json.ts';

/**
 * Scripts and their immutable versions.
 *
 * Errors: DATABASE_UNAVAILABLE from every method
 * Source: D11
 */
export interface ScriptStore {
  /**
   * Writes a new script (`scriptId` null) or the next version of one. `compile` is asked for the runtime JSON once id and version are known.
   *
   * Shape: null when the script to update does not exist
   */
  save(draft: ScriptDraft, compile: CompileScript): Promise<SavedScript | null>;
  /** The row as it was; null when absent. Its versions stay readable by number. */
  softDelete(scriptId: number): Promise<Script | null>;
  /** The current version of a script that is not deleted, or any version by number, deleted or not. */
  findRuntime(scriptId: number, version: number | null): Promise<RuntimeScript | null>;
}

export interface ScriptDraft {
  scriptId: number | null;
  name: string;
  businessCode: string;
  description: string;
  isEnabled: boolean;
  /** What a version holds: nodes, variables, phrases, nlu, resultRules, entryNodeId. */
  body: object;
  createdBy: number | null;
}

export type CompileScript = (identity: { id: number; version: number }) => { hash: string; runtime: object };

export interface RuntimeScript {
  hash: string;
  runtime: JsonObject;
}

/** A script with its current version. */
export interface ScriptVersion extends Script {
  hash: string;
  body: JsonObject;
}

export interface SavedScript {
  script: Script;
  hash: string;
  body: JsonObject;
  /** The version that was current; null: the script is new. */
  before: { script: Script; hash: string } | null;
}
