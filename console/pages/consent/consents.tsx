import { useQuery } from '@apollo/client/react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { type Column, DataTable } from '../../table/data-table.tsx';
import { DateRange, useDateRange } from '../../table/date-range.tsx';
import { ChoiceFilter, FilterBar, SearchField, useSearch } from '../../table/filters.tsx';
import { NoneFound } from '../../table/none-found.tsx';
import { useSlice } from '../../table/use-rows.ts';
import { formatPhone } from '../../text/phone-number.ts';
import { ActButton } from '../../ui/act-button.tsx';
import { Instant } from '../../ui/instant.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useDisabledReason } from '../../ui/use-disabled-reason.ts';
import { useQueryState } from '../../ui/use-query-state.ts';
import { ConsentDrawer } from './consent-drawer.tsx';
import { type ConsentFilter, type ConsentRowFragment, ConsentsDocument } from './consents.generated.ts';

const PAGE_ROWS = 100;
const KINDS = ['GIVEN', 'REVOKED'] as const;

/** The ledger of consents: who consented to what, when, and who revoked it. */
export function Consents() {
  const { t } = useTranslation();
  const search = useSearch();
  const [open, setOpen] = useQueryState('consent');
  const filter = useFilter();
  const { data, previousData, loading, error, fetchMore } = useQuery(ConsentsDocument, {
    variables: { first: PAGE_ROWS, search, filter },
  });
  const { rows, total, loadMore } = useSlice<ConsentRowFragment>((data ?? previousData)?.consents, fetchMore);
  const columns = useColumns(setOpen);
  const disabledReason = useDisabledReason('compliance:write');
  return (
    <>
      <FilterBar
        count={total === null ? null : t('consents.count', { count: total })}
        acts={
          <>
            <ActButton variant="default" act={() => setOpen('import')} reason={disabledReason}>
              {t('consents.import')}
            </ActButton>
            <ActButton act={() => setOpen('new')} reason={disabledReason}>
              {t('consents.add')}
            </ActButton>
          </>
        }
      >
        <DateRange />
        <SearchField label={t('consents.search')} width={260} />
        <ChoiceFilter name="kind" label={t('consents.kind')} choices={KINDS.map(value => ({ value, label: t(`consentKind.${value}`) }))} />
      </FilterBar>
      {error && <Notice error={error} />}
      <DataTable
        label={t('rules.consents')}
        columns={columns}
        rows={rows}
        keyOf={({ id }) => id}
        isLoading={loading}
        loadMore={loadMore}
        empty={search || filter ? <NoneFound>{t('consents.noneFound')}</NoneFound> : t('consents.none')}
      />
      <ConsentDrawer open={open || null} rows={rows} close={() => setOpen('')} disabledReason={disabledReason} />
    </>
  );
}

/** Filter in the URL; null: every entry. */
function useFilter(): ConsentFilter | null {
  const [query] = useSearchParams();
  const { from, to } = useDateRange();
  const kind = KINDS.find(each => each === query.get('kind')) ?? null;
  return kind || from || to ? { kind, from, to } : null;
}

function useColumns(open: (id: string) => void): Column<ConsentRowFragment>[] {
  const { t } = useTranslation();
  return useMemo(
    () => [
      {
        key: 'number',
        header: t('consents.number'),
        width: '160px',
        cell: ({ databaseId, phoneNumber }) => (
          <button type="button" className="link" onClick={() => open(databaseId)}>
            {formatPhone(phoneNumber)}
          </button>
        ),
      },
      {
        key: 'kind',
        header: t('consents.kind'),
        width: '90px',
        cell: ({ kind }) => <span className={kind === 'GIVEN' ? 'tone-answered' : 'tone-failed'}>{t(`consentKind.${kind}`)}</span>,
      },
      { key: 'purpose', header: t('consents.purpose'), width: '140px', cell: ({ purpose }) => purpose || t('consents.allPurposes') },
      { key: 'source', header: t('consents.source'), cell: ({ source }) => <span title={source}>{source}</span> },
      { key: 'at', header: t('consents.at'), width: '200px', cell: ({ at }) => <Instant at={at} /> },
      {
        key: 'until',
        header: t('consents.until'),
        width: '200px',
        cell: ({ until, kind }) => (
          <span className="quiet">{until ? <Instant at={until} /> : kind === 'GIVEN' && t('consents.untilRevoked')}</span>
        ),
      },
      {
        key: 'by',
        header: t('consents.by'),
        width: '150px',
        cell: ({ createdBy, origin }) => (
          <span className="quiet">
            {t(`consentOrigin.${origin}`)} {createdBy?.displayName}
          </span>
        ),
      },
    ],
    [t, open],
  );
}
