import { type RefObject, useEffect, useRef } from 'react';
import { useLocation } from 'react-router';

/** Key of the location with which the browser opened the console: there the focus begins at the top, as everywhere. */
const FIRST = 'default';

/**
 * Moves the focus into each page that the user goes to, the first after a sign-in too, unless a field of the page has taken it.
 *
 * Why: a menu entry would keep the focus and a removed link would lose it, and a screen reader would not say that the page is another
 */
export function useFocusOnPage(page: RefObject<HTMLElement | null>): void {
  const { pathname, key } = useLocation();
  const shown = useRef(key === FIRST ? pathname : null);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    const { current } = page;
    if (current && !current.contains(document.activeElement)) current.focus({ preventScroll: true });
  }, [page, pathname]);
}
