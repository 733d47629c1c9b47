import { useEffect, useEffectEvent } from 'react';
import { useNavigate } from 'react-router';
import { PAGES } from '../pages.ts';

/** Page key for each letter after `g`. */
const LETTERS: Readonly<Record<string, string>> = {
  d: 'desk',
  o: 'wall',
  l: 'live',
  c: 'campaigns',
  p: 'contacts',
  a: 'calls',
  r: 'rules',
  b: 'agentBoard',
  n: 'lines',
  s: 'scripts',
  e: 'events',
  t: 'trends',
  u: 'users',
  k: 'callbacks',
  q: 'reports',
  i: 'lists',
  f: 'followUps',
  v: 'transcripts',
  x: 'exports',
  w: 'webhooks',
};
/** Longest pause between `g` and the letter, in ms. */
const SEQUENCE_MS = 1_200;
const TYPED_INTO = 'input, textarea, select, [contenteditable="true"], [role="textbox"], [role="combobox"]';

export interface GoKey {
  letter: string;
  page: string;
  path: string;
  /** Required permission; null: any signed-in user. */
  needs: string | null;
}

/** Shortcuts whose page exists. */
export const GO_KEYS: readonly GoKey[] = Object.entries(LETTERS).flatMap(([letter, page]) => {
  const found = PAGES.find(({ key }) => key === page);
  return found ? [{ letter, page, path: found.path, needs: found.needs }] : [];
});

interface Shortcuts {
  openPalette: () => void;
  showKeys: () => void;
}

/** Keys that work on every page: Ctrl-K or ⌘K, `g` and a letter, `/` for the page's search, `?` for the list of shortcuts. */
export function useShortcuts({ openPalette, showKeys }: Shortcuts): void {
  const navigate = useNavigate();
  const act = useEffectEvent((key: string, isAfterGo: boolean): boolean => {
    const target = isAfterGo ? GO_KEYS.find(({ letter }) => letter === key) : undefined;
    if (target) void navigate(target.path);
    else if (key === '/') return focusSearch();
    else if (key === '?') showKeys();
    else return false;
    return true;
  });
  const open = useEffectEvent(openPalette);
  useEffect(() => {
    let wentAt = -Infinity;
    const onKey = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        return open();
      }
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isElsewhere(event.target)) return;
      if (act(event.key, event.timeStamp - wentAt < SEQUENCE_MS)) event.preventDefault();
      wentAt = event.key === 'g' ? event.timeStamp : -Infinity;
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}

/** Whether the user is typing, or a dialog handles the keys. */
function isElsewhere(target: EventTarget | null): boolean {
  return target instanceof Element && (target.matches(TYPED_INTO) || target.closest('[role="dialog"]') !== null);
}

function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>('main input[type="search"]');
  field?.focus();
  field?.select();
  return field !== null;
}
