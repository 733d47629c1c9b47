import { useQuery } from '@apollo/client/react';
import { Alert, Group, Select, SegmentedControl, Text, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { CampaignSelect } from '../../form/campaign-select.tsx';
import type { Form } from '../../form/use-form.ts';
import { formatDateTime } from '../../text/format.ts';
import { useTyped } from '../../ui/use-typed.ts';
import { ZoneSelect } from '../../ui/zone-select.tsx';
import { EVERYTHING, EXPORTED, FORMATS, type ScheduleValues, SPANS } from './schedule-values.ts';
import { ScheduleChoicesDocument, type ScheduleRowFragment, ScheduleTimesDocument } from './schedules.generated.ts';
import { cronOf, hasTime, RHYTHMS } from './times.ts';

interface PartProps {
  form: Form<ScheduleValues>;
  isFixed: boolean;
}

interface WhatProps extends PartProps {
  /** The schedule as it is kept; null: a new one. */
  row: ScheduleRowFragment | null;
}

/** A saved report, or an export with its campaign and format. */
export function WhatFields({ form, isFixed, row }: WhatProps) {
  const { t } = useTranslation();
  const { values, set } = form;
  // All rows are a choice of exports alone.
  const choose = (what: string) =>
    set(what === 'EXPORT' ? { what } : { what: 'REPORT', span: values.span === EVERYTHING ? 'YESTERDAY' : values.span });
  return (
    <>
      <SegmentedControl
        aria-label={t('schedules.field.what')}
        disabled={isFixed}
        value={values.what}
        onChange={choose}
        data={['REPORT', 'EXPORT'].map(value => ({ value, label: t(`schedules.what.${value}`) }))}
      />
      {values.what === 'REPORT' ? <ReportSelect form={form} isFixed={isFixed} row={row} /> : <ExportFields form={form} isFixed={isFixed} />}
    </>
  );
}

/** The reports that the user sees, and the kept one, which may be the owner's alone. */
function ReportSelect({ form: { values, set, errorOf }, isFixed, row }: WhatProps) {
  const { t } = useTranslation();
  const { data } = useQuery(ScheduleChoicesDocument);
  const seen = data?.reports ?? [];
  const kept = row?.reportId && row.reportName !== null ? [{ databaseId: row.reportId, name: row.reportName }] : [];
  const reports = [...kept.filter(({ databaseId }) => seen.every(report => report.databaseId !== databaseId)), ...seen];
  if (data && reports.length === 0)
    return (
      <Alert color="gray">
        {t('schedules.noReports')} <Link to="/reports">{t('pages.reports')}</Link>
      </Alert>
    );
  return (
    <Select
      label={t('schedules.field.reportId')}
      error={errorOf('reportId')}
      disabled={isFixed}
      required={!isFixed}
      searchable
      value={values.reportId || null}
      onChange={reportId => set({ reportId: reportId ?? '' })}
      data={reports.map(({ databaseId, name }) => ({ value: databaseId, label: name }))}
    />
  );
}

function ExportFields({ form: { values, set, errorOf }, isFixed }: PartProps) {
  const { t } = useTranslation();
  return (
    <>
      <Group grow align="start">
        <Select
          label={t('schedules.field.exported')}
          disabled={isFixed}
          allowDeselect={false}
          value={values.exported}
          onChange={chosen => set({ exported: EXPORTED.find(each => each === chosen) ?? values.exported })}
          data={EXPORTED.map(value => ({ value, label: t(`exports.kind.${value.toLowerCase()}`) }))}
        />
        <Select
          label={t('schedules.field.format')}
          disabled={isFixed}
          allowDeselect={false}
          value={values.format}
          onChange={chosen => set({ format: FORMATS.find(each => each === chosen) ?? values.format })}
          data={FORMATS.map(value => ({ value, label: t(`exports.format.${value.toLowerCase()}`) }))}
        />
      </Group>
      {values.exported !== 'DO_NOT_CALL' && (
        <CampaignSelect
          label={t('schedules.field.campaignId')}
          placeholder={t('schedules.everyCampaign')}
          clearable
          error={errorOf('campaignId')}
          value={values.campaignId}
          choose={campaignId => set({ campaignId })}
        />
      )}
      <Text size="sm" className="quiet">
        {t('schedules.exportSent')}
      </Text>
    </>
  );
}

const EVERY_SPAN = [...SPANS, EVERYTHING] as const;

/** The range, counted back from each run. */
export function SpanSelect({ form: { values, set, errorOf }, isFixed }: PartProps) {
  const { t } = useTranslation();
  const spans = values.what === 'EXPORT' ? EVERY_SPAN : SPANS;
  return (
    <Select
      label={t('schedules.field.span')}
      error={errorOf('span')}
      disabled={isFixed}
      allowDeselect={false}
      value={values.span}
      onChange={chosen => set({ span: EVERY_SPAN.find(each => each === chosen) ?? values.span })}
      data={spans.map(value => ({ value, label: t(`schedules.span.${value}`) }))}
    />
  );
}

/** A rhythm with its time of day, or an expression; the next five runs stand below. */
export function TimeFields({ form, isFixed }: PartProps) {
  const { t } = useTranslation();
  const { values, set, errorOf } = form;
  return (
    <>
      <Group grow align="start">
        <Select
          label={t('schedules.field.rhythm')}
          disabled={isFixed}
          allowDeselect={false}
          value={values.rhythm}
          onChange={chosen => set({ rhythm: RHYTHMS.find(each => each === chosen) ?? values.rhythm, cron: cronOf(values) })}
          data={RHYTHMS.map(value => ({ value, label: t(`schedules.rhythm.${value}`) }))}
          error={values.rhythm === 'CUSTOM' ? undefined : errorOf('cron')}
        />
        {hasTime(values.rhythm) && (
          <TextInput
            type="time"
            label={t('schedules.field.at')}
            disabled={isFixed}
            required={!isFixed}
            value={values.at}
            onChange={event => set({ at: event.currentTarget.value })}
          />
        )}
      </Group>
      {values.rhythm === 'CUSTOM' && (
        <TextInput
          label={t('schedules.field.cron')}
          description={t('schedules.about.cron')}
          error={errorOf('cron')}
          disabled={isFixed}
          required={!isFixed}
          maxLength={100}
          autoComplete="off"
          value={values.cron}
          onChange={event => set({ cron: event.currentTarget.value })}
        />
      )}
      <ZoneSelect
        label={t('schedules.field.timeZone')}
        error={errorOf('timeZone')}
        disabled={isFixed}
        value={values.timeZone}
        choose={timeZone => set({ timeZone })}
      />
      <NextTimes cron={cronOf(values)} timeZone={values.timeZone} />
    </>
  );
}

/** The server's own calculation, which knows the clock changes of the zone. */
function NextTimes({ cron, timeZone }: { cron: string; timeZone: string }) {
  const { t } = useTranslation();
  const asked = useTyped(cron);
  const { data, error } = useQuery(ScheduleTimesDocument, {
    variables: { cron: asked, timeZone: timeZone || null },
    skip: asked === '',
    fetchPolicy: 'no-cache',
  });
  const times = data?.times ?? [];
  return (
    <div role="status" aria-label={t('schedules.nextTimes')}>
      <Text size="sm" fw={600}>
        {t('schedules.nextTimes')}
      </Text>
      {error ? (
        <Text size="sm" className="tone-failed">
          {error.message}
        </Text>
      ) : (
        times.map(at => (
          <Text key={at} size="sm" className="quiet">
            {formatDateTime(at, timeZone || undefined)}
          </Text>
        ))
      )}
    </div>
  );
}

/** An endpoint of the installation; only administrators make them. */
export function ChannelSelect({ form: { values, set, errorOf }, isFixed }: PartProps) {
  const { t } = useTranslation();
  const { data } = useQuery(ScheduleChoicesDocument);
  const channels = data?.channels ?? [];
  if (data && channels.length === 0) return <Alert color="yellow">{t('schedules.noChannels')}</Alert>;
  return (
    <Select
      label={t('schedules.field.channelId')}
      description={t('schedules.about.channelId')}
      error={errorOf('channelId')}
      disabled={isFixed}
      required={!isFixed}
      searchable
      value={values.channelId || null}
      onChange={channelId => set({ channelId: channelId ?? '' })}
      data={channels.map(({ databaseId, name, kind, status }) => ({
        value: databaseId,
        label: [name, t(`webhookKind.${kind}`), ...(status === 'ENABLED' ? [] : [t(`webhookStatus.${status}`)])].join(' · '),
      }))}
    />
  );
}
