import { useEffect, useRef } from 'react';

/** Key after which the next key opens a page, as everywhere in the console. */
const GOES_TO_PAGE = 'g';
/** Longest pause before the next key, in ms. */
const SEQUENCE_MS = 1_000;
const TYPED_INTO = 'input:not([type=checkbox]), textarea, select, [contenteditable], [role=dialog] *';

/** A dialog or an open menu handles the keys itself. */
const OVER_PAGE = '[role=dialog], [aria-haspopup=menu][aria-expanded=true]';

/**
 * One shortcut key for each action, shown on its button: it applies to the focused card, else to the side panel. Esc closes the open call.
 *
 * Why: the key presses the button itself, so that it does exactly what a click does
 */
export function useActKeys(open: string, close: (open: string) => void): void {
  const wentAt = useRef(0);
  useEffect(() => {
    function press(event: KeyboardEvent) {
      const { key, target, timeStamp } = event;
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if ((target as Element).matches(TYPED_INTO) || document.querySelector(OVER_PAGE)) return;
      const isSequence = timeStamp - wentAt.current < SEQUENCE_MS;
      wentAt.current = key === GOES_TO_PAGE ? timeStamp : 0;
      if (isSequence) return;
      if (key === 'Escape' && open) return close('');
      if (!/^[a-z]$/i.test(key)) return;
      const shown = `[aria-keyshortcuts="${key.toUpperCase()}"]`;
      const card = document.activeElement?.closest('article, tr');
      const button = card?.querySelector<HTMLElement>(shown) ?? document.querySelector<HTMLElement>(`:is([data-acts], aside) ${shown}`);
      button?.click();
    }
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [open, close]);
}
