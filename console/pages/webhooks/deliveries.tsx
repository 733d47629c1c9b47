import { Select, Title } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Column, DataTable } from '../../table/data-table.tsx';
import { useRows } from '../../table/use-rows.ts';
import { formatDateTime } from '../../text/format.ts';
import { Instant } from '../../ui/instant.tsx';
import { useTroubleWords } from './trouble-words.ts';
import { useEventNames } from './use-event-names.ts';
import { type DeliveryRowFragment, WebhookDeliveriesDocument, type WebhookDeliveriesQuery } from './webhooks.generated.ts';

const ROWS = 30;
const LOOK_MS = 5_000;
const STATES = ['WAITING', 'DELIVERED', 'GIVEN_UP', 'DROPPED'] as const;
const TONES = { WAITING: 'tone-waiting', DELIVERED: 'tone-answered', GIVEN_UP: 'tone-failed', DROPPED: 'quiet' } as const;

const sliceOf = (data: WebhookDeliveriesQuery) => data.webhookDeliveries;

/** The queue and the log of an endpoint, the newest first. */
export function Deliveries({ webhookId }: { webhookId: string }) {
  const { t } = useTranslation();
  const [state, setState] = useState<(typeof STATES)[number] | null>(null);
  const variables = { webhookId, first: ROWS, filter: state && { state } };
  const { rows, isLoading, loadMore } = useRows({ document: WebhookDeliveriesDocument, variables, sliceOf, lookMs: LOOK_MS });
  const columns = useColumns();
  return (
    <section aria-label={t('webhooks.log')}>
      <Title order={3} mt="lg" mb="xs">
        {t('webhooks.log')}
      </Title>
      <Select
        aria-label={t('webhooks.state')}
        placeholder={t('webhooks.everyState')}
        clearable
        clearButtonProps={{ 'aria-label': t('webhooks.everyState') }}
        w={180}
        mb="xs"
        value={state}
        onChange={chosen => setState(STATES.find(each => each === chosen) ?? null)}
        data={STATES.map(value => ({ value, label: t(`webhookDeliveryState.${value}`) }))}
      />
      <DataTable
        label={t('webhooks.log')}
        columns={columns}
        rows={rows}
        keyOf={({ deliveryId }) => deliveryId}
        isLoading={isLoading}
        loadMore={loadMore}
        empty={t('webhooks.noDeliveries')}
      />
    </section>
  );
}

function useColumns(): Column<DeliveryRowFragment>[] {
  const { t } = useTranslation();
  const { nameOf } = useEventNames();
  const trouble = useTroubleWords();
  return useMemo(
    () => [
      { key: 'at', header: t('webhooks.at'), width: '160px', cell: ({ createdAt }) => <Instant at={createdAt} /> },
      { key: 'type', header: t('webhooks.event'), cell: ({ type, key }) => <span title={key}>{nameOf(type)}</span> },
      {
        key: 'state',
        header: t('webhooks.state'),
        width: '80px',
        cell: ({ state }) => <span className={TONES[state]}>{t(`webhookDeliveryState.${state}`)}</span>,
      },
      { key: 'tries', header: t('webhooks.tries'), width: '60px', isNumber: true, cell: ({ tries }) => tries },
      {
        key: 'answer',
        header: t('webhooks.answer'),
        width: '190px',
        cell: ({ error, answer, statusCode, tookMs, state, dueAt }) => (
          <span className="quiet" title={answer ?? undefined}>
            {error ? trouble(error) : statusCode && t('webhooks.took', { status: statusCode, count: tookMs ?? 0 })}
            {state === 'WAITING' && error && ` · ${t('webhooks.again', { at: formatDateTime(dueAt) })}`}
          </span>
        ),
      },
    ],
    [t, nameOf, trouble],
  );
}
