import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import type { Field } from '../../form/fields.tsx';
import type { Noun } from '../../form/noun.ts';
import { useCommands } from '../../form/use-commands.ts';
import { ChannelSelect, SpanSelect, TimeFields, WhatFields } from './schedule-fields.tsx';
import { ScheduleFacts, ScheduleRuns } from './schedule-runs.tsx';
import { changesOf, inputOf, LANGUAGES, type ScheduleValues, valuesOf } from './schedule-values.ts';
import {
  CreateReportScheduleDocument,
  DeleteReportScheduleDocument,
  ReportSchedulesDocument,
  type ScheduleRowFragment,
  UpdateReportScheduleDocument,
} from './schedules.generated.ts';

/** Query parameter with the saved report that a new schedule is of. */
export const REPORT = 'report';

/** How schedules are made, changed, switched off and deleted. */
export function useScheduleNoun(listChanged: () => unknown): Noun<ScheduleRowFragment, ScheduleValues> {
  const { i18n } = useTranslation();
  const [query] = useSearchParams();
  const { run, read } = useCommands();
  const fieldsOf = useFields();
  const start = { reportId: query.get(REPORT) ?? '', language: i18n.language };
  return {
    text: 'schedules',
    needs: 'campaign:dispatch',
    auditedAs: 'report_schedule',
    nameOf: ({ name }) => name,
    fields: fieldsOf,
    valuesOf: row => valuesOf(row, start),
    listChanged,
    create: values => run(CreateReportScheduleDocument, { input: inputOf(values) }),
    update: (row, changes) =>
      run(UpdateReportScheduleDocument, { id: row.databaseId, input: changesOf(changes, { ...valuesOf(row, start), ...changes }) }),
    reload: async ({ id }) => (await read(ReportSchedulesDocument, {}))?.schedules?.find(schedule => schedule.id === id) ?? null,
    remove: ({ databaseId: id }) => run(DeleteReportScheduleDocument, { id }),
    power: {
      isEnabled: ({ isEnabled }) => isEnabled,
      set: ({ databaseId: id }, isEnabled) => run(UpdateReportScheduleDocument, { id, input: { isEnabled } }),
    },
    facts: row => <ScheduleFacts row={row} />,
    more: row => <ScheduleRuns scheduleId={row.databaseId} />,
  };
}

function useFields(): (row: ScheduleRowFragment | null) => readonly Field<ScheduleValues>[] {
  const { t } = useTranslation();
  return row => [
    { kind: 'text', name: 'name', maxLength: 64, isNeeded: true },
    { kind: 'own', name: 'what', draw: (form, isFixed) => <WhatFields form={form} isFixed={isFixed} row={row} /> },
    { kind: 'own', name: 'span', draw: (form, isFixed) => <SpanSelect form={form} isFixed={isFixed} /> },
    { kind: 'own', name: 'rhythm', draw: (form, isFixed) => <TimeFields form={form} isFixed={isFixed} /> },
    { kind: 'own', name: 'channelId', draw: (form, isFixed) => <ChannelSelect form={form} isFixed={isFixed} /> },
    {
      kind: 'choice',
      name: 'language',
      isNeeded: true,
      choices: LANGUAGES.map(value => ({ value, label: t(`schedules.language.${value}`) })),
    },
  ];
}
