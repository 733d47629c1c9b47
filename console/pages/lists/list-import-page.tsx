import { useQuery } from '@apollo/client/react';
import { Alert, Button, Group, Progress, Select, Skeleton, Text, TextInput, Title } from '@mantine/core';
import { Dropzone } from '@mantine/dropzone';
import '@mantine/dropzone/styles.css';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router';
import { NotFoundPage } from '../../shell/not-found-page.tsx';
import { formatCount } from '../../text/format.ts';
import { ActButton } from '../../ui/act-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { Columns } from '../imports/columns-step.tsx';
import { ImportRun } from './import-run.tsx';
import { ImportTargetsDocument } from './lists.generated.ts';
import styles from './lists.module.css';
import { type ListImporting, useListImport } from './use-list-import.ts';

/** Imports a file of any length into a list or into a campaign: dropped here, or fetched from an address. */
export function ListImportPage() {
  const { t } = useTranslation();
  const { listId = '', campaignId = '' } = useParams();
  const isList = listId !== '';
  const importing = useListImport(isList ? { listId } : { campaignId });
  const { data, error } = useQuery(ImportTargetsDocument, { variables: { listId, campaignId, isList } });
  const target = data?.contactList ?? data?.campaign;
  if (!target) return error ? <Notice error={error} /> : data ? <NotFoundPage /> : <Skeleton height={400} />;
  const back = isList ? `/lists?open=${listId}` : `/campaigns/${campaignId}`;
  return (
    <>
      <title>{`${t('pages.listImport')} · ${target.name} · Callout`}</title>
      <Group justify="space-between" mb="md">
        <PageHeading>{t(isList ? 'lists.importInto' : 'lists.importIntoCampaign', { name: target.name })}</PageHeading>
        <Button component={Link} to={back} variant="default">
          {t(isList ? 'lists.toList' : 'import.toCampaign')}
        </Button>
      </Group>
      {importing.error && <Notice error={importing.error} title={t('import.refused')} again={null} />}
      {importing.importId === null ? <Steps importing={importing} /> : <Progressing importing={importing} />}
    </>
  );
}

function Steps({ importing }: { importing: ListImporting }) {
  return importing.preview === null ? (
    <>
      <FileStep importing={importing} />
      <UrlStep importing={importing} />
    </>
  ) : (
    <ColumnsStep importing={importing} preview={importing.preview} />
  );
}

function FileStep({ importing }: { importing: ListImporting }) {
  const { t } = useTranslation();
  const { fileName, sent } = importing;
  return (
    <section className={`sheet ${styles.sheet}`}>
      <Title order={2} mb="sm">
        {t('import.drop')}
      </Title>
      <Dropzone
        onDrop={([file]) => file && importing.giveFile(file)}
        maxFiles={1}
        multiple={false}
        disabled={importing.isBusy}
        className={styles.drop ?? ''}
        inputProps={{ 'aria-label': t('import.chooseFile') }}
      >
        <Text size="lg">{fileName || t('import.dropHere')}</Text>
        <Text className="quiet">{t('lists.kinds')}</Text>
      </Dropzone>
      {sent !== null && (
        <Group mt="sm" role="status">
          <Progress value={sent} flex={1} aria-label={t('lists.sending')} />
          <Text size="sm">{t('lists.sent', { percent: sent })}</Text>
          <Button size="xs" variant="default" onClick={importing.stopSending}>
            {t('lists.cancel')}
          </Button>
        </Group>
      )}
    </section>
  );
}

const MAX_URL_LENGTH = 2_048;

function UrlStep({ importing }: { importing: ListImporting }) {
  const { t } = useTranslation();
  const [url, setUrl] = useState('');
  return (
    <section className={`sheet ${styles.sheet}`}>
      <Title order={2} mb="sm">
        {t('lists.fetch')}
      </Title>
      <div className={styles.row}>
        <TextInput
          label={t('lists.url')}
          description={t('lists.urlAbout')}
          placeholder="https://example.com/list.csv"
          maxLength={MAX_URL_LENGTH}
          value={url}
          onChange={event => setUrl(event.currentTarget.value)}
        />
        <ActButton
          variant="default"
          loading={importing.isBusy}
          reason={url.trim() === '' ? t('lists.noUrl') : null}
          act={() => importing.startUrl(url.trim())}
        >
          {t('lists.fetchNow')}
        </ActButton>
      </div>
    </section>
  );
}

function ColumnsStep({ importing, preview }: { importing: ListImporting; preview: NonNullable<ListImporting['preview']> }) {
  const { t } = useTranslation();
  const hasNumber = importing.uses.includes('PHONE_NUMBER');
  const rows = t('import.rows', { count: preview.totalRows, shown: formatCount(preview.totalRows) });
  return (
    <section className={`sheet ${styles.sheet}`}>
      <Title order={2} mb="xs">
        {importing.fileName}
      </Title>
      <Text className="quiet" mb="sm">
        {t('lists.aboutFile', { rows })}
      </Text>
      <Select
        mb="sm"
        maw={420}
        label={t('import.headerRow')}
        disabled={importing.isBusy}
        allowDeselect={false}
        value={String(preview.headerRow)}
        data={[
          { value: '0', label: t('import.noHeader') },
          ...preview.topRows.map(({ row, cells }) => ({
            value: String(row),
            label: t('import.headerAt', { row, cells: cells.join(' · ').slice(0, 60) }),
          })),
        ]}
        onChange={value => value !== null && importing.readAs(Number(value))}
      />
      {!hasNumber && (
        <Alert color="yellow" mb="sm" role="status">
          {t('import.noNumber')}
        </Alert>
      )}
      <Columns importing={importing} preview={preview} />
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={importing.startOver}>
          {t('import.otherFile')}
        </Button>
        <ActButton loading={importing.isBusy} reason={hasNumber ? null : t('import.noNumber')} act={importing.startFile}>
          {t('lists.start')}
        </ActButton>
      </Group>
    </section>
  );
}

function Progressing({ importing }: { importing: ListImporting }) {
  const { t } = useTranslation();
  if (importing.importId === null) return null;
  return (
    <>
      <ImportRun importId={importing.importId} />
      <Text className="quiet" mb="sm">
        {t('lists.goesOn')}
      </Text>
      <Button variant="default" onClick={importing.startOver}>
        {t('import.another')}
      </Button>
    </>
  );
}
