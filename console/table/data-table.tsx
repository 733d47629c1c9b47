import { Skeleton, VisuallyHidden } from '@mantine/core';
import { type Range, useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type MouseEvent, memo, type PointerEvent, type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useIsNarrow } from '../ui/use-is-narrow.ts';
import styles from './data-table.module.css';

export interface Column<Row> {
  key: string;
  header: string;
  /** Replaces the text of the header. */
  head?: ReactNode;
  /** CSS width of the column; absent: the remaining width. */
  width?: string;
  isNumber?: boolean;
  cell: (row: Row) => ReactNode;
}

interface DataTableProps<Row> {
  /** Accessible name of the table. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** Shown when there is no row. */
  empty: ReactNode;
  /** Called as the end comes near; absent when there are no more rows. */
  loadMore?: (() => void) | undefined;
  isLoading: boolean;
  /** Key of the list: another list is shown from its top. */
  of?: string;
}

const ROW_HEIGHT = 41;
/** Estimated heights of a card until it is measured, in px: its name, and a line of two columns. */
const CARD = { name: 42, line: 24 };
/** Rows rendered beyond the visible ones, and the distance from the end at which more are loaded. */
const AHEAD = 8;
/**
 * Rows are added and removed in steps of this size: each change costs a layout and a paint of the table, scrolling in between costs
 * neither.
 */
const STEP = 8;
/** Element of a row that opens it. */
const LEADS = 'a[href], button.link';
/** How many rows a key moves down. */
const MOVES: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/**
 * A table of any number of rows; only those near the viewport are rendered. Arrow keys move between rows, Enter or a click opens a row.
 * In a narrow window each row becomes a card, so that no column is hidden.
 */
export function DataTable<Row>({ label, columns, rows, keyOf, empty, loadMore, isLoading, of }: DataTableProps<Row>) {
  const { t } = useTranslation();
  const isNarrow = useIsNarrow();
  const scroll = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => (isNarrow ? CARD.name + CARD.line * Math.ceil(columns.length / 2) : ROW_HEIGHT),
    rangeExtractor: drawnOf,
  });
  const drawn = virtual.getVirtualItems();
  const last = drawn.at(-1)?.index ?? -1;
  const isNearEnd = last >= rows.length - AHEAD;
  useEffect(() => {
    if (isNearEnd && !isLoading) loadMore?.();
  }, [isNearEnd, isLoading, loadMore]);
  function onKeyDown(event: KeyboardEvent<HTMLDivElement>): void {
    const move = MOVES[event.key];
    const target = event.target as HTMLElement;
    if (target.matches('input, select, textarea')) return;
    if (event.key === 'Enter' && target.matches('tr')) return target.querySelector<HTMLElement>(LEADS)?.click();
    if (move === undefined || rows.length === 0) return;
    event.preventDefault();
    const current = target.closest('tr')?.getAttribute('aria-rowindex');
    const next = Math.min(rows.length - 1, Math.max(0, current ? Number(current) - 1 + move : 0));
    virtual.scrollToIndex(next);
    // By then the row is rendered if it was not before.
    requestAnimationFrame(() =>
      scroll.current?.querySelector<HTMLElement>(`tr[aria-rowindex="${next + 1}"]`)?.focus({ preventScroll: true }),
    );
  }
  useLayoutEffect(() => {
    if (virtual.scrollOffset) virtual.scrollToOffset(0);
  }, [virtual, of]);
  // Every height changes when rows become cards or the reverse.
  useEffect(() => virtual.measure(), [virtual, isNarrow]);
  /** A click on a row follows its first link, unless the user is selecting text. */
  function onClick({ target }: MouseEvent<HTMLDivElement>): void {
    const hit = target as HTMLElement;
    if (hit.closest('a, button, input, label, select, [role=combobox], [role=option]') || window.getSelection()?.toString()) return;
    hit.closest('tbody tr')?.querySelector<HTMLElement>(LEADS)?.click();
  }
  const isWaiting = rows.length === 0 && isLoading;
  const above = drawn[0]?.start ?? 0;
  const below = virtual.getTotalSize() - (drawn.at(-1)?.end ?? 0);
  return (
    <div
      ref={scroll}
      className={`sheet ${styles.scroll}`}
      role="region"
      aria-label={label}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onClick={onClick}
      onPointerOver={showWhole}
    >
      <table
        className={isNarrow ? styles.cards : styles.table}
        style={isNarrow ? undefined : { minWidth: leastWidthOf(columns) }}
        aria-rowcount={rows.length}
      >
        <colgroup>
          {columns.map(({ key, width }) => (
            <col key={key} style={{ width }} />
          ))}
        </colgroup>
        <thead>
          <tr>
            {columns.map(({ key, header, head, isNumber }) => (
              <th key={key} scope="col" data-label={header} className={isNumber ? styles.right : head ? styles.pick : undefined}>
                {head ?? header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Gap height={above} span={columns.length} />
          {drawn.map(({ index }) => {
            const row = rows[index];
            if (!row) return null;
            return (
              <BodyRow key={keyOf(row)} row={row} index={index} columns={columns} measure={isNarrow ? virtual.measureElement : undefined} />
            );
          })}
          <Gap height={below} span={columns.length} />
          {isWaiting && <Placeholders columns={columns} />}
        </tbody>
      </table>
      {isWaiting && <VisuallyHidden role="status">{t('shell.loading')}</VisuallyHidden>}
      {rows.length === 0 && !isLoading && <div className={`quiet ${styles.empty}`}>{empty}</div>}
    </div>
  );
}

/** Rows that keep the place of those that are loading. */
const PLACEHOLDERS = [0.6, 0.45, 0.7, 0.5, 0.65, 0.4];

function Placeholders({ columns }: { columns: readonly Pick<Column<never>, 'key' | 'head' | 'isNumber'>[] }) {
  return PLACEHOLDERS.map(share => (
    <tr key={share} aria-hidden className={styles.row}>
      {columns.map(({ key, head, isNumber }) => (
        <td key={key} className={head ? styles.pick : undefined}>
          {!head && <Skeleton height={10} width={`${share * 100}%`} ml={isNumber ? 'auto' : undefined} />}
        </td>
      ))}
    </tr>
  ));
}

/** The pointer shows the whole text of a cell that is cut; a cell with buttons explains itself. */
function showWhole({ target }: PointerEvent<HTMLDivElement>): void {
  const cell = (target as HTMLElement).closest('td');
  if (cell === null || cell.querySelector('button:not(.link), input')) return;
  if (cell.scrollWidth > cell.clientWidth) cell.title = cell.textContent.trim();
  else cell.removeAttribute('title');
}

/** Indexes of the rows to render, given the visible ones. */
function drawnOf({ startIndex, endIndex, count }: Range): number[] {
  const first = Math.max(0, Math.floor((startIndex - AHEAD) / STEP) * STEP);
  const end = Math.min(count, Math.ceil((endIndex + 1 + AHEAD) / STEP) * STEP);
  return Array.from({ length: end - first }, (_, index) => first + index);
}

/** Smallest width of a column without a fixed width, in px. */
const LEAST_WIDTH = 150;

/** Width below which the table scrolls sideways, so that columns without a fixed width keep some. */
function leastWidthOf(columns: readonly Pick<Column<never>, 'width'>[]): number {
  return columns.reduce((sum, { width }) => sum + (Number.parseFloat(width ?? '') || LEAST_WIDTH), 0);
}

interface BodyRowProps<Row> {
  row: Row;
  index: number;
  columns: readonly Column<Row>[];
  /** Present where rows differ in height. */
  measure: ((row: HTMLTableRowElement | null) => void) | undefined;
}

/** Renders again only for another row or other columns: scrolling renders the rows that appear, not those that stay. */
const BodyRow = memo(function BodyRow<Row>({ row, index, columns, measure }: BodyRowProps<Row>) {
  return (
    <tr ref={measure} data-index={index} className={styles.row} aria-rowindex={index + 1} tabIndex={-1}>
      {columns.map(({ key, header, head, width, isNumber, cell }) => (
        <td
          key={key}
          data-label={header}
          className={head ? styles.pick : isNumber ? styles.right : width === undefined ? styles.wide : undefined}
        >
          {cell(row)}
        </td>
      ))}
    </tr>
  );
}, isSameRow) as <Row>(props: BodyRowProps<Row>) => ReactNode;

function isSameRow<Row>(before: BodyRowProps<Row>, now: BodyRowProps<Row>): boolean {
  const { row, index, columns, measure } = now;
  if (row !== before.row || index !== before.index || measure !== before.measure || columns.length !== before.columns.length) return false;
  return columns.every(({ cell, header, width }, at) => {
    const other = before.columns[at];
    return cell === other?.cell && header === other.header && width === other.width;
  });
}

/** Placeholder for rows that are not rendered. */
function Gap({ height, span }: { height: number; span: number }) {
  return height <= 0 ? null : (
    <tr aria-hidden>
      <td className={styles.gap} colSpan={span} style={{ height }} />
    </tr>
  );
}
