import { useElementSize, useMergedRef } from '@mantine/hooks';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type ReactNode, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { CallCard } from './call-card.tsx';
import styles from './live.module.css';
import type { Hold } from './use-hold.ts';

export interface CallListProps {
  /** In the displayed order. */
  keys: readonly string[];
  /** Holds the order while the pointer is on the list or the user reads further down. */
  hold: Hold;
  /** Key of the open call. */
  open: string;
  onOpen: (callKey: string) => void;
  empty: ReactNode;
}

/** Smallest width of a card, in px; the same as in live.module.css. */
const CARD_WIDTH = 288;
const CARD_HEIGHT = 236;
const GAP = 12;
const ROWS_AHEAD = 1;
/** By how many cards an arrow key moves in a grid of `columns` columns. */
const STEPS: Record<string, (columns: number) => number> = {
  ArrowRight: () => 1,
  ArrowLeft: () => -1,
  ArrowDown: columns => columns,
  ArrowUp: columns => -columns,
};

/** Calls as cards; only those near the viewport are rendered. */
export function CallCards({ keys, hold, open, onOpen, empty }: CallListProps) {
  const { t } = useTranslation();
  const scroll = useRef<HTMLDivElement>(null);
  const { ref: sized, width } = useElementSize<HTMLDivElement>();
  const ref = useMergedRef(scroll, sized);
  const columns = Math.max(1, Math.floor((width + GAP) / (CARD_WIDTH + GAP)));
  const virtual = useVirtualizer({
    count: Math.ceil(keys.length / columns),
    getScrollElement: () => scroll.current,
    estimateSize: () => CARD_HEIGHT + GAP,
    overscan: ROWS_AHEAD,
  });
  function move(event: KeyboardEvent<HTMLDivElement>) {
    const from = keys.indexOf((event.target as HTMLElement).dataset['call'] ?? '');
    const to = from + (STEPS[event.key]?.(columns) ?? 0);
    const key = keys[to];
    if (from === -1 || to === from || key === undefined) return;
    event.preventDefault();
    virtual.scrollToIndex(Math.floor(to / columns));
    requestAnimationFrame(() => scroll.current?.querySelector<HTMLElement>(`[data-call="${CSS.escape(key)}"]`)?.focus());
  }
  return (
    <div className={styles.list}>
      {/* Arrow keys move between the buttons of the cards. */}
      {/* oxlint-disable-next-line jsx_a11y/no-noninteractive-element-interactions */}
      <div ref={ref} className={styles.cards} role="region" aria-label={t('pages.live')} onKeyDown={move} {...hold}>
        {keys.length === 0 && <div className={`${styles.empty} quiet`}>{empty}</div>}
        <div style={{ height: virtual.getTotalSize(), position: 'relative' }}>
          {virtual.getVirtualItems().map(({ index, start }) => (
            <div
              key={index}
              className={styles.line}
              style={{ transform: `translateY(${start}px)`, gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}
            >
              {keys.slice(index * columns, (index + 1) * columns).map(key => (
                <CallCard key={key} callKey={key} isOpen={key === open} onOpen={onOpen} />
              ))}
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}
