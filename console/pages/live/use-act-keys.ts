import { useEffect, useRef } from 'react';

/** After this key the next one goes to a page, as everywhere in the console. */
const GOES_TO_PAGE = 'g';
/** How long it waits for the next one, ms. */
const SEQUENCE_MS = 1_000;
const TYPED_INTO = 'input:not([type=checkbox]), textarea, select, [contenteditable], [role=dialog] *';

/** A dialogue, or an open menu, takes the keys itself. */
const OVER_PAGE = '[role=dialog], [aria-haspopup=menu][aria-expanded=true]';

/**
 * One key for each act, as its button shows: of the card that has the focus, else of what stands at the side. Esc closes the open call.
 *
 * Why: the button itself is pressed, so that a key does what a click does and no more
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
      const button = card?.querySelector<HTMLElement>(shown) ?? document.querySelector<HTMLElement>(`aside ${shown}`);
      button?.click();
    }
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [open, close]);
}
