import { Badge, Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { type Column, DataTable } from '../table/data-table.tsx';
import { FilterBar } from '../table/filters.tsx';
import { NoneFound } from '../table/none-found.tsx';
import { ActButton } from '../ui/act-button.tsx';
import { Notice } from '../ui/notice.tsx';
import { useDisabledReason } from '../ui/use-disabled-reason.ts';
import { useQueryState } from '../ui/use-query-state.ts';
import type { Noun, NounRow } from './noun.ts';
import { NounDrawer } from './noun-drawer.tsx';

/** Query parameter that names the open row. */
export const OPEN = 'open';

interface NounPageProps<Row extends NounRow, Values extends object> {
  noun: Noun<Row, Values>;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** Null until the rows are counted. */
  total: number | null;
  isLoading: boolean;
  error?: Error | null | undefined;
  loadMore?: (() => void) | undefined;
  /** Reads the list again; absent: a query of the page does. */
  reload?: () => void;
  /** Undefined while loading; null when there is no such row. */
  rowOf: (databaseId: string) => Row | null | undefined;
  filters: ReactNode;
  /** Whether the filters exclude rows. */
  isNarrowed: boolean;
}

/** The list of a noun, with the open row beside it. */
export function NounPage<Row extends NounRow, Values extends object>(props: NounPageProps<Row, Values>) {
  const { noun, columns, rows, total, isLoading, error, loadMore, reload, rowOf, filters, isNarrowed } = props;
  const { t } = useTranslation();
  const [open, setOpen] = useQueryState(OPEN);
  const reason = useDisabledReason(noun.needs);
  return (
    <>
      <FilterBar
        count={total === null ? null : t(`${noun.text}.count`, { count: total })}
        acts={
          <ActButton act={() => setOpen('new')} reason={reason}>
            {t(`${noun.text}.make`)}
          </ActButton>
        }
      >
        {filters}
      </FilterBar>
      {error && <Notice error={error} {...(reload && { again: reload })} />}
      <DataTable
        label={t(`pages.${noun.text}`)}
        columns={columns}
        rows={rows}
        keyOf={({ id }) => id}
        empty={
          isNarrowed ? (
            <NoneFound>{t(`${noun.text}.noneFound`)}</NoneFound>
          ) : (
            <None noun={noun} reason={reason} make={() => setOpen('new')} />
          )
        }
        isLoading={isLoading}
        loadMore={loadMore}
      />
      <NounDrawer noun={noun} open={open} row={open === '' || open === 'new' ? undefined : rowOf(open)} close={() => setOpen('')} />
    </>
  );
}

interface NoneProps {
  noun: { text: string };
  reason: string | null;
  make: () => void;
}

/** Empty list: what the noun is for, and a button that creates the first. */
function None({ noun, reason, make }: NoneProps) {
  const { t } = useTranslation();
  return (
    <>
      <p>{t(`${noun.text}.none`)}</p>
      {reason === null && <Button onClick={make}>{t(`${noun.text}.make`)}</Button>}
    </>
  );
}

/** Opens the row beside the list and keeps the other query parameters. */
export function OpenLink({ id, children }: { id: string; children: ReactNode }) {
  const query = new URLSearchParams(useLocation().search);
  query.set(OPEN, id);
  return <Link to={{ search: query.toString() }}>{children}</Link>;
}

export function EnabledChip({ isEnabled }: { isEnabled: boolean }) {
  const { t } = useTranslation();
  return (
    <Badge variant="light" color={isEnabled ? 'green' : 'gray'} radius="sm" tt="none">
      {t(isEnabled ? 'noun.enabled' : 'noun.disabled')}
    </Badge>
  );
}
