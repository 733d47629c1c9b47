import { Alert, Space, Title } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { type Column, DataTable } from '../../table/data-table.tsx';
import { useRows } from '../../table/use-rows.ts';
import { formatCount, formatDateTime } from '../../text/format.ts';
import { ActButton } from '../../ui/act-button.tsx';
import { Facts } from '../../ui/facts.tsx';
import { useAct } from '../../ui/use-act.ts';
import { useDisabledReason } from '../../ui/use-disabled-reason.ts';
import { RunState } from './run-state.tsx';
import {
  RunReportScheduleDocument,
  type RunRowFragment,
  type ScheduleRowFragment,
  ScheduleRunsDocument,
  type ScheduleRunsQuery,
} from './schedules.generated.ts';

const ROWS = 30;
/** Refresh interval, in ms: a run by hand takes some seconds. */
const LOOK_MS = 3_000;

const sliceOf = ({ runs }: ScheduleRunsQuery) => runs;

/** When a schedule runs next, whose rights it has, and a run at once. */
export function ScheduleFacts({ row }: { row: ScheduleRowFragment }) {
  const { t } = useTranslation();
  const reason = useDisabledReason('campaign:dispatch');
  const act = useAct();
  const run = () => void act.run(RunReportScheduleDocument, { id: row.databaseId }, t('schedules.runStarted'));
  return (
    <>
      <ActButton variant="default" act={run} reason={reason} loading={act.isBusy}>
        {t('schedules.runNow')}
      </ActButton>
      {act.refused && (
        <Alert color="red" role="alert" mt="xs">
          {act.refused}
        </Alert>
      )}
      <Space h="sm" />
      <Facts
        facts={[
          [t('schedules.nextRun'), row.nextRunAt && `${formatDateTime(row.nextRunAt, row.timeZone)} · ${row.timeZone}`],
          [t('schedules.owner'), row.createdBy?.displayName],
        ]}
      />
    </>
  );
}

/** The runs of a schedule, the newest first. */
export function ScheduleRuns({ scheduleId }: { scheduleId: string }) {
  const { t } = useTranslation();
  const variables = { scheduleId, first: ROWS };
  const { rows, isLoading, loadMore } = useRows({ document: ScheduleRunsDocument, variables, sliceOf, lookMs: LOOK_MS });
  return (
    <section aria-label={t('schedules.runs')}>
      <Title order={3} mt="lg" mb="xs">
        {t('schedules.runs')}
      </Title>
      <DataTable
        label={t('schedules.runs')}
        columns={useColumns()}
        rows={rows}
        keyOf={({ id }) => id}
        isLoading={isLoading}
        loadMore={loadMore}
        empty={t('schedules.noRuns')}
      />
    </section>
  );
}

function useColumns(): Column<RunRowFragment>[] {
  const { t } = useTranslation();
  return useMemo(
    () => [
      {
        key: 'at',
        header: t('schedules.dueAt'),
        width: '190px',
        cell: ({ dueAt, isManual }) => (
          <>
            {formatDateTime(dueAt)} {isManual && <span className="quiet">{t('schedules.byHand')}</span>}
          </>
        ),
      },
      { key: 'state', header: t('schedules.result'), cell: run => <RunOutcome run={run} /> },
      {
        key: 'rows',
        header: t('schedules.rows'),
        width: '70px',
        isNumber: true,
        cell: ({ rowCount }) => (rowCount === null ? '' : formatCount(rowCount)),
      },
    ],
    [t],
  );
}

function RunOutcome({ run }: { run: RunRowFragment }) {
  const { t } = useTranslation();
  const { state, failure, failureMessage, missed, deliveryState, deliveryError } = run;
  return (
    <>
      <RunState state={state} deliveryState={deliveryState} />
      {failure !== null && <div className="quiet">{SAID.includes(failure) ? failureMessage : t(`schedules.failure.${failure}`)}</div>}
      {deliveryState !== 'DELIVERED' && deliveryError !== null && <div className="quiet">{deliveryError}</div>}
      {missed > 0 && <div className="quiet">{t('schedules.missed', { count: missed })}</div>}
    </>
  );
}

/** Reasons whose message says more than their name. */
const SAID: readonly string[] = ['REFUSED', 'EXPORT_FAILED'];
