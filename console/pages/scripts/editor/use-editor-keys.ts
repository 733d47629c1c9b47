import { useWindowEvent } from '@mantine/hooks';

interface EditorKeys {
  undo: (() => void) | null;
  redo: (() => void) | null;
  save: () => unknown;
}

/** Ctrl+Z, Ctrl+Shift+Z or Ctrl+Y, Ctrl+S. In a field, undo is the browser's own: it takes back letters. */
export function useEditorKeys({ undo, redo, save }: EditorKeys): void {
  useWindowEvent('keydown', event => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    const act = actOf(event, { undo, redo, save });
    if (act === null) return;
    event.preventDefault();
    act();
  });
}

function actOf(event: KeyboardEvent, { undo, redo, save }: EditorKeys): (() => unknown) | null {
  const key = event.key.toLowerCase();
  if (key === 's') return save;
  if (isField(event.target)) return null;
  if (key === 'z') return event.shiftKey ? redo : undo;
  return key === 'y' ? redo : null;
}

function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
}
