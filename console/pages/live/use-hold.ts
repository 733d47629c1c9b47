import { type FocusEvent, type PointerEvent, type UIEvent, useState } from 'react';

/** What a list hands on of being pointed at, being in it and reading in it. */
export type Hold = ReturnType<typeof useHold>['hold'];

/**
 * Whether a list is held still: somebody points at it, is in it with the keyboard, or reads further down. It stays so while they are at what stands beside
 * it, so that they can reach there what speaks of the list; `letGo` says that they have.
 *
 * Shape: `view` says how the list is drawn: another one begins at its top
 */
export function useHold(view: string) {
  const [isPointed, setPointed] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const [scrolled, setScrolled] = useState<string | null>(null);
  const leaves = {
    'data-hold': true,
    onPointerLeave: ({ relatedTarget }: PointerEvent<HTMLElement>) => setPointed(was => was && isNear(relatedTarget)),
    onBlur: ({ relatedTarget }: FocusEvent<HTMLElement>) => setFocused(was => was && isNear(relatedTarget)),
  };
  return {
    isHeld: isPointed || isFocused || scrolled === view,
    beside: leaves,
    hold: {
      ...leaves,
      onPointerEnter: () => setPointed(true),
      onFocus: ({ target }: FocusEvent<HTMLElement>) => setFocused(target.matches(':focus-visible')),
      // On its way down: scrolling does not bubble, and rows have a scroller of their own.
      onScrollCapture: ({ target }: UIEvent<HTMLElement>) => setScrolled((target as HTMLElement).scrollTop > 0 ? view : null),
    },
    letGo: () => {
      setPointed(false);
      setFocused(false);
    },
  };
}

/** Whether it is in the list or beside it. */
function isNear(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[data-hold]') !== null;
}
