import { useEffect, useEffectEvent, useRef } from 'react';
import { awaitKey } from './awaited-key.ts';

/** Key after which the next key opens a page, as everywhere in the console. */
const GOES_TO_PAGE = 'g';
/** Longest pause before the next key, in ms. */
const SEQUENCE_MS = 1_000;
const TYPED_INTO = 'input:not([type=checkbox]), textarea, select, [contenteditable], [role=dialog] *';

/** A dialog or an open menu handles the keys itself. */
const OVER_PAGE = '[role=dialog], [aria-haspopup=menu][aria-expanded=true]';

interface ActKeys {
  /** Key of the call whose panel is shown, even while it loads; empty: none. */
  callKey: string;
  /** Closes the open call; absent when there is none to be closed. */
  close: (() => void) | undefined;
}

/**
 * One shortcut key for each action, shown on its button: it applies to the focused card, else to the panel of the call. Esc closes the call.
 *
 * Why: the key presses the button itself, so that it does exactly what a click does; a key for a panel that loads waits for its buttons
 */
export function useActKeys({ callKey, close }: ActKeys): void {
  const wentAt = useRef(0);
  const press = useEffectEvent((event: KeyboardEvent) => {
    const { key, timeStamp } = event;
    if (isHandledElsewhere(event)) return;
    const isSequence = timeStamp - wentAt.current < SEQUENCE_MS;
    wentAt.current = key === GOES_TO_PAGE ? timeStamp : 0;
    if (isSequence) return;
    if (key === 'Escape') return close?.();
    if (!/^[a-z]$/i.test(key)) return;
    const button = buttonOf(key.toUpperCase());
    if (button) button.click();
    else awaitKey(callKey, key.toUpperCase());
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => press(event);
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}

function isHandledElsewhere({ defaultPrevented, ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  if (defaultPrevented || ctrlKey || metaKey || altKey) return true;
  return (target instanceof Element && target.matches(TYPED_INTO)) || document.querySelector(OVER_PAGE) !== null;
}

/** The button with this shortcut on the focused card, else beside the list. */
function buttonOf(shortcut: string): HTMLElement | null | undefined {
  const shown = `[aria-keyshortcuts="${shortcut}"]`;
  const card = document.activeElement?.closest('article, tr');
  return card?.querySelector<HTMLElement>(shown) ?? document.querySelector<HTMLElement>(`:is([data-acts], aside) ${shown}`);
}
