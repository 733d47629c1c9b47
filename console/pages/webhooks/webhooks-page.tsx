import { useQuery } from '@apollo/client/react';
import { Badge } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { NounPage, OpenLink } from '../../form/noun-page.tsx';
import type { Column } from '../../table/data-table.tsx';
import { SearchField, useSearch } from '../../table/filters.tsx';
import { formatCount } from '../../text/format.ts';
import { Instant } from '../../ui/instant.tsx';
import { useEventNames } from './use-event-names.ts';
import { useWebhookNoun } from './webhook-noun.tsx';
import { type WebhookRowFragment, WebhooksDocument } from './webhooks.generated.ts';

/** Interval at which queues and failures are read again, ms. */
const LOOK_MS = 5_000;

/** The webhook endpoints: programs, chat groups and mailboxes that receive events. */
export function WebhooksPage() {
  const { t } = useTranslation();
  const search = useSearch();
  const { data, loading, error, refetch } = useQuery(WebhooksDocument, { pollInterval: LOOK_MS });
  const { noun, secretModal } = useWebhookNoun(refetch);
  const columns = useColumns();
  const text = search?.toLowerCase() ?? '';
  const all = data?.webhooks ?? [];
  const rows = all.filter(({ name, url }) => `${name} ${url}`.toLowerCase().includes(text));
  return (
    <>
      <NounPage
        noun={noun}
        columns={columns}
        rows={rows}
        total={data ? rows.length : null}
        isLoading={loading && !data}
        error={error}
        rowOf={id => (data ? (all.find(({ databaseId }) => databaseId === id) ?? null) : undefined)}
        isNarrowed={text !== ''}
        filters={<SearchField label={t('webhooks.search')} />}
      />
      {secretModal}
    </>
  );
}

function useColumns(): Column<WebhookRowFragment>[] {
  const { t } = useTranslation();
  const { nameOf } = useEventNames();
  return useMemo(
    () => [
      {
        key: 'name',
        header: t('webhooks.name'),
        width: '190px',
        cell: ({ databaseId, name }) => <OpenLink id={databaseId}>{name}</OpenLink>,
      },
      { key: 'kind', header: t('webhooks.kind'), width: '140px', cell: ({ kind }) => t(`webhookKind.${kind}`) },
      { key: 'state', header: t('webhooks.state'), width: '150px', cell: row => <WebhookState row={row} /> },
      {
        key: 'events',
        header: t('webhooks.events'),
        cell: ({ types }) => (
          <span title={types.map(nameOf).join('\n')}>
            {types.length === 1 ? nameOf(types[0] ?? '') : t('webhooks.eventCount', { first: nameOf(types[0] ?? ''), count: types.length })}
          </span>
        ),
      },
      { key: 'url', header: t('webhooks.url'), width: '240px', cell: ({ url }) => <span className="quiet">{hostOf(url)}</span> },
      { key: 'waiting', header: t('webhooks.waiting'), width: '100px', isNumber: true, cell: ({ waiting }) => formatCount(waiting) },
      {
        key: 'last',
        header: t('webhooks.lastDelivered'),
        width: '190px',
        cell: ({ lastDeliveredAt }) => (
          <span className="quiet">{lastDeliveredAt ? <Instant at={lastDeliveredAt} /> : t('webhooks.never')}</span>
        ),
      },
    ],
    [t, nameOf],
  );
}

/** A robot has its key in the address, which a list does not show. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

function WebhookState({ row: { status, failingSince } }: { row: WebhookRowFragment }) {
  const { t } = useTranslation();
  const isFailing = status === 'ENABLED' && failingSince !== null;
  const color = isFailing ? 'yellow' : { ENABLED: 'green', PAUSED: 'gray', DISABLED: 'red' }[status];
  return (
    <Badge variant="light" color={color} radius="sm" tt="none">
      {t(isFailing ? 'webhookStatus.FAILING' : `webhookStatus.${status}`)}
    </Badge>
  );
}
