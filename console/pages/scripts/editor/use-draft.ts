import { useCallbackRef } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import { isRefusal } from '../../../api/refusal.ts';
import { useCommands } from '../../../form/use-commands.ts';
import { began, changed, redone, undone } from './edit-history.ts';
import type { ScriptFault } from './editor-faults.ts';
import { type DraftBodyFragment, SaveDraftDocument, ScriptDraftNowDocument } from './editor.generated.ts';
import type { EditedScript } from './graph.ts';
import { readEdited } from './read-edited.ts';

/** Pause after the last change before it is saved, in ms. */
const SAVE_AFTER_MS = 800;

export type SaveState = 'saved' | 'unsaved' | 'saving' | 'conflict' | 'failed';

interface Theirs {
  draft: DraftBodyFragment | null;
}

export interface Draft {
  script: EditedScript;
  /** `name`: changes of one name in a row are undone together. */
  change: (next: EditedScript, name?: string) => void;
  undo: (() => void) | null;
  redo: (() => void) | null;
  faults: readonly ScriptFault[];
  state: SaveState;
  /** Why it could not be saved. */
  message: string | null;
  /** 0: the script has no draft. */
  revision: number;
  /** The draft that another user has saved meanwhile; null when there is none. `draft` is null when it was published or thrown away. */
  theirs: Theirs | null;
  takeTheirs: () => void;
  keepMine: () => void;
  /** Saves what is not saved yet; false when it could not be. */
  flush: () => Promise<boolean>;
  /** Saves what is not saved yet; the revision that may be published, null when it could not be saved. */
  ready: () => Promise<number | null>;
}

/** The draft of a script: what is changed here is saved by itself, and what somebody else has changed meanwhile is shown. */
export function useDraft(id: string, initial: { script: EditedScript; draft: DraftBodyFragment | null }): Draft {
  const { run, read } = useCommands();
  const [history, setHistory] = useState(() => began(initial.script));
  const [state, setState] = useState<SaveState>('saved');
  const [message, setMessage] = useState<string | null>(null);
  const [faults, setFaults] = useState<readonly ScriptFault[]>(initial.draft?.faults ?? []);
  const [theirs, setTheirs] = useState<Theirs | null>(null);
  const revision = useRef(initial.draft?.revision ?? 0);
  const latest = useRef(history.present);
  const saved = useRef(history.present);
  const saving = useRef<Promise<boolean> | null>(null);
  latest.current = history.present;

  async function saveOnce(): Promise<boolean> {
    const script = latest.current;
    setState('saving');
    const result = await run(SaveDraftDocument, { id, input: { ...script, revision: revision.current } });
    if (result?.__typename === 'ScriptDraft') return kept(script, result);
    if (result?.__typename === 'DraftChanged') {
      setTheirs({ draft: (await read(ScriptDraftNowDocument, { id }))?.script?.draft ?? null });
      setState('conflict');
      return false;
    }
    setState('failed');
    setMessage(isRefusal(result) ? result.message : null);
    return false;
  }

  function kept(script: EditedScript, draft: DraftBodyFragment): boolean {
    revision.current = draft.revision;
    saved.current = script;
    setFaults(draft.faults);
    setMessage(null);
    setState(latest.current === script ? 'saved' : 'unsaved');
    return true;
  }

  const save = useCallbackRef(async (): Promise<boolean> => {
    while (saving.current) await saving.current;
    if (saved.current === latest.current) return true;
    saving.current = saveOnce().catch((error: Error) => {
      setState('failed');
      setMessage(error.message);
      return false;
    });
    const isSaved = await saving.current;
    saving.current = null;
    return isSaved;
  });

  useEffect(() => {
    if (history.present === saved.current || theirs !== null) return undefined;
    setState('unsaved');
    const timer = setTimeout(() => void save(), SAVE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [history.present, theirs, save]);

  return {
    script: history.present,
    change: (next, name) => setHistory(before => changed(before, next, name ?? null)),
    undo: history.past.length > 0 ? () => setHistory(undone) : null,
    redo: history.future.length > 0 ? () => setHistory(redone) : null,
    faults,
    state,
    message,
    revision: revision.current,
    theirs,
    takeTheirs: () => {
      // Without a draft the version in force is what everybody sees: the page reads it anew.
      if (!theirs?.draft) return window.location.reload();
      const script = readEdited(theirs.draft.body as object);
      saved.current = script;
      revision.current = theirs.draft.revision;
      setFaults(theirs.draft.faults);
      setHistory(began(script));
      setTheirs(null);
      setState('saved');
    },
    keepMine: () => {
      revision.current = theirs?.draft?.revision ?? 0;
      setTheirs(null);
    },
    flush: save,
    ready: async () => ((await save()) ? revision.current : null),
  };
}
