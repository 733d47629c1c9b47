import { useMutation, useQuery } from '@apollo/client/react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { ChosenBar } from '../../table/bulk-bar.tsx';
import { type Column, DataTable } from '../../table/data-table.tsx';
import { DateRange, useDateRange } from '../../table/date-range.tsx';
import { ChoiceFilter, FilterBar, SearchField, useSearch } from '../../table/filters.tsx';
import { NoneFound } from '../../table/none-found.tsx';
import { useChosen } from '../../table/use-chosen.tsx';
import { useSlice } from '../../table/use-rows.ts';
import { formatPhone } from '../../text/phone-number.ts';
import { ActButton } from '../../ui/act-button.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { Instant } from '../../ui/instant.tsx';
import { Notice } from '../../ui/notice.tsx';
import { sayDone } from '../../ui/toast.ts';
import { useDisabledReason } from '../../ui/use-disabled-reason.ts';
import { useNow } from '../../ui/use-now.ts';
import { useQueryState } from '../../ui/use-query-state.ts';
import {
  DoNotCallEntriesDocument,
  type DoNotCallFilter,
  type DoNotCallRowFragment,
  RemoveDoNotCallEntriesDocument,
} from './do-not-call.generated.ts';
import { ExportAct } from '../exports/export-act.tsx';
import { DoNotCallDrawer } from './do-not-call-drawer.tsx';

const KINDS = ['DO_NOT_CALL'] as const;
const PAGE_ROWS = 100;
const SOURCES = ['MANUAL', 'CALLBACK', 'IMPORT'] as const;
const ENDS = ['permanent', 'binding', 'expired'] as const;
/** Refresh interval in ms, because entries expire while the list is open. */
const LOOK_MS = 60_000;
/** Most entries that the server accepts in one command. */
const MOST_AT_ONCE = 100;

const nameOf = ({ phoneNumber }: DoNotCallRowFragment) => formatPhone(phoneNumber);

/** The do-not-call list. */
export function DoNotCall() {
  const { t } = useTranslation();
  const search = useSearch();
  const [open, setOpen] = useQueryState('entry');
  const filter = useFilter();
  const { data, previousData, loading, error, fetchMore } = useQuery(DoNotCallEntriesDocument, {
    variables: { first: PAGE_ROWS, search, filter },
  });
  const { rows, total, loadMore } = useSlice<DoNotCallRowFragment>((data ?? previousData)?.doNotCallEntries, fetchMore);
  const chosen = useChosen(rows, nameOf);
  const columns = useColumns(setOpen);
  const disabledReason = useDisabledReason('compliance:write');
  return (
    <>
      <FilterBar
        count={total === null ? null : t('doNotCall.count', { count: total })}
        acts={
          <>
            <ExportAct
              total={total}
              kinds={KINDS}
              filter={{ search, doNotCall: filter ?? null }}
              campaignId={null}
              needs="compliance:write"
            />
            <ActButton variant="default" act={() => setOpen('import')} reason={disabledReason}>
              {t('doNotCall.import')}
            </ActButton>
            <ActButton act={() => setOpen('new')} reason={disabledReason}>
              {t('doNotCall.add')}
            </ActButton>
          </>
        }
      >
        <DateRange />
        <SearchField label={t('doNotCall.search')} />
        <ChoiceFilter
          name="source"
          label={t('doNotCall.source')}
          choices={SOURCES.map(value => ({ value, label: t(`doNotCallSource.${value}`) }))}
        />
        <ChoiceFilter
          name="end"
          width={190}
          label={t('doNotCall.expires')}
          choices={ENDS.map(value => ({ value, label: t(`doNotCall.end.${value}`) }))}
        />
      </FilterBar>
      {chosen.rows.length > 0 && <Chosen chosen={chosen.rows} clear={() => chosen.set([])} disabledReason={disabledReason} />}
      {error && <Notice error={error} />}
      <DataTable
        label={t('rules.doNotCall')}
        columns={[chosen.column, ...columns]}
        rows={rows}
        keyOf={({ id }) => id}
        isLoading={loading}
        loadMore={loadMore}
        empty={search || filter ? <NoneFound>{t('doNotCall.noneFound')}</NoneFound> : t('doNotCall.none')}
      />
      <DoNotCallDrawer open={open || null} close={() => setOpen('')} disabledReason={disabledReason} />
    </>
  );
}

/** Filter in the URL; null: every entry. */
function useFilter(): DoNotCallFilter | null {
  const [query] = useSearchParams();
  const source = SOURCES.find(each => each === query.get('source')) ?? null;
  const added = useDateRange();
  const end = query.get('end');
  if (source === null && !end && !added.from && !added.to) return null;
  if (end === 'permanent') return { source, ...added, isPermanent: true };
  return { source, ...added, ...(end && { isPermanent: false, isExpired: end === 'expired' }) };
}

interface ChosenProps {
  chosen: readonly DoNotCallRowFragment[];
  clear: () => void;
  disabledReason: string | null;
}

function Chosen({ chosen, clear, disabledReason }: ChosenProps) {
  const { t } = useTranslation();
  const [remove] = useMutation(RemoveDoNotCallEntriesDocument, { refetchQueries: [DoNotCallEntriesDocument], awaitRefetchQueries: true });
  const names = new Map(chosen.map(row => [row.databaseId, nameOf(row)]));
  const ids = [...names.keys()];

  async function removeAll(): Promise<string | null> {
    const outcomes = (await remove({ variables: { ids } })).data?.outcomes ?? [];
    const inTheWay = outcomes.filter(({ code }) => code !== null);
    if (inTheWay.length === 0) {
      sayDone(t('doNotCall.removed', { count: ids.length }));
      clear();
    }
    return inTheWay.length > 0 ? inTheWay.map(({ databaseId, message }) => `${names.get(databaseId ?? '')}: ${message}`).join('\n') : null;
  }

  return (
    <ChosenBar count={ids.length} clear={clear}>
      <ConfirmButton
        size="xs"
        variant="light"
        color="red"
        reason={disabledReason ?? (ids.length > MOST_AT_ONCE ? t('policies.tooMany', { count: MOST_AT_ONCE }) : null)}
        title={t('doNotCall.removeTitle', { count: ids.length })}
        warning={t('doNotCall.loses', { numbers: [...names.values()].slice(0, 10).join(t('policyWords.comma')) })}
        act={removeAll}
      >
        {t('doNotCall.remove')}
      </ConfirmButton>
    </ChosenBar>
  );
}

function useColumns(open: (id: string) => void): Column<DoNotCallRowFragment>[] {
  const { t } = useTranslation();
  const now = useNow(LOOK_MS);
  return useMemo(
    () => [
      {
        key: 'number',
        header: t('doNotCall.number'),
        width: '170px',
        cell: ({ databaseId, phoneNumber }) => (
          <button type="button" className="link" onClick={() => open(databaseId)}>
            {formatPhone(phoneNumber)}
          </button>
        ),
      },
      { key: 'reason', header: t('doNotCall.reason'), cell: ({ reason }) => <span title={reason}>{reason}</span> },
      { key: 'source', header: t('doNotCall.source'), width: '180px', cell: ({ source }) => t(`doNotCallSource.${source}`) },
      {
        key: 'expires',
        header: t('doNotCall.expires'),
        width: '200px',
        cell: ({ expiresAt }) =>
          expiresAt === null ? (
            t('doNotCall.permanent')
          ) : (
            <span className={new Date(expiresAt).getTime() <= now ? 'quiet' : undefined}>
              <Instant at={expiresAt} /> {new Date(expiresAt).getTime() <= now && t('doNotCall.expired')}
            </span>
          ),
      },
      {
        key: 'by',
        header: t('doNotCall.by'),
        width: '110px',
        cell: ({ createdBy, source }) => (
          <span className="quiet">{createdBy?.displayName ?? (source === 'CALLBACK' ? t('hangupBy.BOT') : null)}</span>
        ),
      },
      {
        key: 'created',
        header: t('doNotCall.created'),
        width: '215px',
        cell: ({ createdAt }) => (
          <span className="quiet">
            <Instant at={createdAt} />
          </span>
        ),
      },
    ],
    [t, open, now],
  );
}
