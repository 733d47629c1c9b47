import type { WrapUpRule } from '#agents/agent-directory.ts';
import type { InputFault } from '#kernel/errors.ts';
import { problem } from '#kernel/problem.ts';
import type { DispositionSettings, OwnSettings } from '../disposition.ts';

export const NO_SETTINGS: OwnSettings = { dispositions: null, wrapUpSeconds: null, isRequired: null };

/** The defaults: the server's time for wrap-up, and no dispositions. */
export function serverSettings(wrapUpMs: number): DispositionSettings {
  return { dispositions: [], wrapUpSeconds: wrapUpMs / 1_000, isRequired: false };
}

/** Each setting of one's own wins over the one that it would inherit. */
export function settingsOver(own: OwnSettings, inherited: DispositionSettings): DispositionSettings {
  return {
    dispositions: own.dispositions ?? inherited.dispositions,
    wrapUpSeconds: own.wrapUpSeconds ?? inherited.wrapUpSeconds,
    isRequired: own.isRequired ?? inherited.isRequired,
  };
}

/** Nobody can choose from a list without an enabled row. */
export function emptyListFault(effective: DispositionSettings): InputFault | null {
  if (!effective.isRequired || hasChoice(effective)) return null;
  return { field: 'dispositions', problem: problem('enabledRow', { other: 'isRequired' }) };
}

function hasChoice({ dispositions }: DispositionSettings): boolean {
  return dispositions.some(({ isEnabled }) => isEnabled);
}

/** How an agent is busy after a call; a list that has been emptied since asks for nothing. */
export function wrapUpOf(effective: DispositionSettings): WrapUpRule {
  return { wrapUpMs: effective.wrapUpSeconds * 1_000, isRequired: effective.isRequired && hasChoice(effective) };
}
