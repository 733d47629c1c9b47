import { type FocusEvent, type PointerEvent, type UIEvent, useState } from 'react';

/** Event handlers by which a list reports the pointer, the focus and the scroll position. */
export type Hold = ReturnType<typeof useHold>['hold'];

/**
 * Whether a list is held still: the pointer is on it, it has the focus, or the user has scrolled down. It stays held while the user is in
 * the elements beside it that refer to the list; `release` releases it.
 *
 * Shape: `view` names the layout of the list: another layout starts at the top
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
      // Capture phase: scroll events do not bubble, and the rows scroll in an element of their own.
      onScrollCapture: ({ target }: UIEvent<HTMLElement>) => setScrolled((target as HTMLElement).scrollTop > 0 ? view : null),
    },
    release: () => {
      setPointed(false);
      setFocused(false);
    },
  };
}

/** Whether the target is in the list or in an element beside it. */
function isNear(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[data-hold]') !== null;
}
