import { type FocusEvent, type UIEvent, useState } from 'react';

/** What a list hands on of being pointed at, being in it and reading in it. */
export type Hold = ReturnType<typeof useHold>['hold'];

/** Whether a list is held still: somebody points at it, is in it with the keyboard, or reads further down. */
export function useHold() {
  const [isPointed, setPointed] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const [isScrolled, setScrolled] = useState(false);
  return {
    isHeld: isPointed || isFocused || isScrolled,
    hold: {
      onPointerEnter: () => setPointed(true),
      onPointerLeave: () => setPointed(false),
      onFocus: (event: FocusEvent<HTMLElement>) => setFocused(event.target.matches(':focus-visible')),
      onBlur: () => setFocused(false),
      onScroll: (event: UIEvent<HTMLElement>) => setScrolled(event.currentTarget.scrollTop > 0),
    },
  };
}
