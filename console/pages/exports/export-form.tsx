import { useMutation, useQuery, useSubscription } from '@apollo/client/react';
import { Button, Checkbox, Group, MultiSelect, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Form } from '../../form/form.tsx';
import { useForm } from '../../form/use-form.ts';
import { Notice } from '../../ui/notice.tsx';
import { fileOf, isOpen } from './export-facts.ts';
import { ExportProgress } from './export-progress.tsx';
import {
  ExportColumnsDocument,
  type ExportJobFragment,
  ExportProgressDocument,
  StartExportDocument,
  type StartExportMutationVariables,
} from './exports.generated.ts';
import { useDownload } from './use-download.ts';

type Input = StartExportMutationVariables['input'];

/** An export as a list offers it: the kinds that fit its rows, and its current filter. */
export interface ExportAsked {
  kinds: readonly Input['kind'][];
  filter: Omit<Input, 'kind' | 'format' | 'columns' | 'isMasked'>;
  /** The one campaign of the rows, whose variables are offered; null: several. */
  campaignId: string | null;
}

const FORMATS = ['CSV', 'XLSX', 'NDJSON', 'PARQUET'] as const;

/** A vCon is an object, and so a line of JSON. */
const formatsOf = (kind: Input['kind']) => FORMATS.filter(format => kind !== 'VCONS' || format === 'NDJSON');

/** Choices for the content and format of the file; its progress once the export has started. */
export function ExportForm({ close, ...asked }: ExportAsked & { close: () => void }) {
  const [started, setStarted] = useState<ExportJobFragment | null>(null);
  return started ? <Started job={started} close={close} /> : <Choices {...asked} close={close} started={setStarted} />;
}

interface Values {
  kind: Input['kind'];
  format: (typeof FORMATS)[number];
  columns: string[];
  isMasked: boolean;
}

interface ChoicesProps extends ExportAsked {
  close: () => void;
  started: (job: ExportJobFragment) => void;
}

function Choices({ kinds, filter, campaignId, close, started }: ChoicesProps) {
  const { t } = useTranslation();
  const [start] = useMutation(StartExportDocument, { fetchPolicy: 'no-cache' });
  const initial: Values = { kind: kinds[0] ?? 'ATTEMPTS', format: 'CSV', columns: [], isMasked: false };
  const form = useForm({
    initial,
    send: async ({ columns, ...values }: Values) => {
      const input = { ...filter, ...values, ...(columns.length > 0 && { columns }) };
      return (await start({ variables: { input } })).data?.result;
    },
    done: result => 'databaseId' in result && started(result),
  });
  const { values, set } = form;
  const formats = formatsOf(values.kind);
  const choose = (asked: string | null) => {
    const kind = kinds.find(each => each === asked) ?? values.kind;
    set({ kind, columns: [], format: formatsOf(kind).find(format => format === values.format) ?? 'NDJSON' });
  };
  return (
    <Form form={form} action={t('exports.start')} cancel={close}>
      <Select
        label={t('exports.what')}
        data={kinds.map(kind => ({ value: kind, label: t(`exports.kind.${kind.toLowerCase()}`) }))}
        value={values.kind}
        allowDeselect={false}
        onChange={choose}
      />
      <Select
        label={t('exports.formatOf')}
        description={t(`exports.about.${values.format.toLowerCase()}`)}
        data={formats.map(format => ({ value: format, label: t(`exports.format.${format.toLowerCase()}`) }))}
        value={values.format}
        allowDeselect={false}
        onChange={value => set({ format: formats.find(format => format === value) ?? values.format })}
      />
      {values.kind !== 'VCONS' && values.kind !== 'STATS' && (
        <Columns kind={values.kind} campaignId={campaignId} chosen={values.columns} choose={columns => set({ columns })} />
      )}
      {values.kind !== 'STATS' && (
        <Checkbox
          label={t('exports.masked')}
          checked={values.isMasked}
          onChange={event => set({ isMasked: event.currentTarget.checked })}
        />
      )}
      <Text className="quiet">{t('exports.audited')}</Text>
    </Form>
  );
}

interface ColumnsProps {
  kind: Input['kind'];
  campaignId: string | null;
  chosen: readonly string[];
  choose: (columns: string[]) => void;
}

function Columns({ kind, campaignId, chosen, choose }: ColumnsProps) {
  const { t } = useTranslation();
  const { data, error } = useQuery(ExportColumnsDocument, { variables: { kind, campaignId } });
  if (error) return <Notice error={error} />;
  return (
    <MultiSelect
      label={t('exports.columns')}
      description={t('exports.columnsAbout')}
      placeholder={chosen.length === 0 ? t('exports.usual') : ''}
      data={(data?.exportColumns ?? []).map(({ key, title }) => ({ value: key, label: title }))}
      value={[...chosen]}
      onChange={choose}
      searchable
      clearable
      hidePickedOptions
    />
  );
}

function Started({ job: begun, close }: { job: ExportJobFragment; close: () => void }) {
  const { t } = useTranslation();
  const { data } = useSubscription(ExportProgressDocument, { variables: { id: begun.databaseId } });
  const { download, refused } = useDownload();
  const event = data?.job;
  const job = event && 'job' in event ? event.job : begun;
  return (
    <Stack>
      <Text>{fileOf(job)?.fileName ?? t('exports.working')}</Text>
      <ExportProgress job={job} />
      {refused && <Notice error={new Error(refused)} again={null} />}
      {isOpen(job) && (
        <Text className="quiet">
          {t('exports.later')} <Link to="/exports">{t('pages.exports')}</Link>
        </Text>
      )}
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={close}>
          {t('drawer.close')}
        </Button>
        {fileOf(job) && <Button onClick={() => download(job.databaseId)}>{t('exports.download')}</Button>}
      </Group>
    </Stack>
  );
}
