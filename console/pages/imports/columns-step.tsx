import { Alert, Button, Checkbox, Group, MultiSelect, NumberInput, Select, Table, Text, TextInput, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { formatCount } from '../../text/format.ts';
import { ActButton } from '../../ui/act-button.tsx';
import { useIsNarrow } from '../../ui/use-is-narrow.ts';
import styles from './import.module.css';
import { ImportProgress } from './import-progress.tsx';
import type { Importing, Preview, Use } from './use-import.ts';

const USES: readonly Use[] = [
  'PHONE_NUMBER',
  'OTHER_NUMBER',
  'CUSTOMER_NAME',
  'REMARK',
  'TIME_ZONE',
  'EXTERNAL_ID',
  'CALLBACK_AT',
  'CALLBACK_NOTE',
  'METADATA',
  'VARIABLES',
  'IGNORED',
];
const SCOPES = ['CAMPAIGN', 'BUSINESS'] as const;
/** Longest span in which a call makes a row a duplicate, as the server has it. */
const MAX_CONTACTED_DAYS = 3_650;
const CARRIERS = ['MOBILE', 'UNICOM', 'TELECOM', 'BROADNET'] as const;

/** Content of the file, and the field to which each column maps. */
export function ColumnsStep({ importing, campaignId }: { importing: Importing; campaignId: string }) {
  const { t } = useTranslation();
  const { preview, uses, file, guessed } = importing;
  if (!preview) return null;
  const hasNumber = uses.includes('PHONE_NUMBER');
  return (
    <>
      <section className={`sheet ${styles.sheet}`}>
        <Title order={2} mb="sm">
          {t('import.columnsOf', {
            name: file?.name ?? '',
            rows: t('import.rows', { count: preview.totalRows, shown: formatCount(preview.totalRows) }),
          })}
        </Title>
        <HowRead importing={importing} preview={preview} />
        {(!hasNumber || guessed !== null) && (
          <Alert color="yellow" mb="sm" role="status">
            {guessed === null ? t('import.noNumber') : t('import.guessed', { name: guessed })}
          </Alert>
        )}
        <Columns importing={importing} preview={preview} />
      </section>
      <Rules importing={importing} />
      <Duplicates importing={importing} />
      <ImportProgress campaignId={campaignId} importId={importing.importId} />
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={() => importing.goTo(0)}>
          {t('import.otherFile')}
        </Button>
        <ActButton loading={importing.isBusy} reason={hasNumber ? null : t('import.noNumber')} act={importing.runCheck}>
          {t('import.check')}
        </ActButton>
      </Group>
    </>
  );
}

/** Options of reading: the header row, the sheet, and whether hidden rows are included. */
function HowRead({ importing, preview }: { importing: Importing; preview: Preview }) {
  const { t } = useTranslation();
  const { reading, readAs, isBusy } = importing;
  const { sheets, hiddenSheets, hiddenRows, headerRow, topRows } = preview;
  const shownSheet = reading.sheet ?? sheets.find(name => !hiddenSheets.includes(name)) ?? sheets[0] ?? null;
  return (
    <>
      <div className={styles.reading}>
        <Select
          label={t('import.headerRow')}
          disabled={isBusy}
          allowDeselect={false}
          value={String(headerRow)}
          data={[
            { value: '0', label: t('import.noHeader') },
            ...topRows.map(({ row, cells }) => ({ value: String(row), label: t('import.headerAt', { row, cells: textOfRow(cells) }) })),
          ]}
          onChange={value => value !== null && readAs({ headerRow: Number(value) })}
        />
        {sheets.length > 1 && (
          <Select
            label={t('import.sheet')}
            disabled={isBusy}
            allowDeselect={false}
            value={shownSheet}
            data={sheets.map(name => ({ value: name, label: hiddenSheets.includes(name) ? t('import.hiddenSheet', { name }) : name }))}
            onChange={sheet => sheet !== null && readAs({ sheet })}
          />
        )}
      </div>
      {(hiddenRows > 0 || reading.includeHidden) && (
        <Checkbox
          mb="sm"
          disabled={isBusy}
          label={
            reading.includeHidden ? t('import.hiddenTaken') : t('import.hiddenLeft', { count: hiddenRows, shown: formatCount(hiddenRows) })
          }
          checked={reading.includeHidden}
          onChange={event => readAs({ includeHidden: event.currentTarget.checked })}
        />
      )}
    </>
  );
}

const MOST_OF_ROW = 60;

function textOfRow(cells: readonly string[]): string {
  const text = cells.filter(cell => cell !== '').join(' · ');
  return text.length > MOST_OF_ROW ? `${text.slice(0, MOST_OF_ROW)}…` : text;
}

/** The columns of a file, each with the member that it becomes. */
export function Columns({ importing, preview }: { importing: Pick<Importing, 'uses' | 'use'>; preview: Preview }) {
  const { t } = useTranslation();
  // The sample values explain a column: they move below its name where there is no room beside it.
  const isNarrow = useIsNarrow();
  return (
    <>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('import.column')}</Table.Th>
            <Table.Th>{t('import.becomes')}</Table.Th>
            {!isNarrow && <Table.Th>{t('import.samples')}</Table.Th>}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {preview.columns.map(({ key, name, samples }, index) => (
            <Table.Tr key={key}>
              <Table.Td>
                {name || <span className="quiet">{t('import.nameless', { index: index + 1 })}</span>}
                {isNarrow && <Samples samples={samples} />}
              </Table.Td>
              <Table.Td>
                <Select
                  aria-label={t('import.becomesOf', { name: name || index + 1 })}
                  w={isNarrow ? 150 : 180}
                  size="xs"
                  allowDeselect={false}
                  value={importing.uses[index] ?? 'IGNORED'}
                  data={USES.map(value => ({ value, label: t(`import.use.${value}`) }))}
                  onChange={value => value && importing.use(index, value)}
                />
              </Table.Td>
              {!isNarrow && (
                <Table.Td>
                  <Samples samples={samples} />
                </Table.Td>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Text size="sm" className="quiet" mt="xs">
        {t('import.variablesAbout')}
      </Text>
    </>
  );
}

function Samples({ samples }: { samples: readonly string[] }) {
  return (
    <Text size="sm" className={`quiet ${styles.samples}`} lineClamp={1}>
      {samples.filter(sample => sample !== '').join(' · ')}
    </Text>
  );
}

function Rules({ importing }: { importing: Importing }) {
  const { t } = useTranslation();
  const { rules, rule } = importing;
  return (
    <section className={`sheet ${styles.sheet} ${styles.rules}`} aria-label={t('import.rules')}>
      <TextInput
        label={t('import.region')}
        description={t('import.regionAbout')}
        maxLength={2}
        value={rules.region}
        onChange={event => rule({ region: event.currentTarget.value.toUpperCase() })}
      />
      <MultiSelect
        label={t('import.carriers')}
        description={t('import.carriersAbout')}
        placeholder={rules.carriers.length === 0 ? t('import.anyCarrier') : ''}
        value={[...rules.carriers]}
        data={CARRIERS.map(value => ({ value, label: t(`import.carrier.${value}`) }))}
        onChange={value => rule({ carriers: CARRIERS.filter(carrier => value.includes(carrier)) })}
      />
      <Select
        label={t('import.landline')}
        description={t('import.landlineAbout')}
        allowDeselect={false}
        value={rules.landline}
        data={[
          { value: 'ALLOW', label: t('import.landlineAllow') },
          { value: 'REJECT', label: t('import.landlineReject') },
        ]}
        onChange={value => rule({ landline: value === 'REJECT' ? 'REJECT' : 'ALLOW' })}
      />
    </section>
  );
}

/** The scope within which known people are duplicates: their rows are left out. */
function Duplicates({ importing: { rules, rule } }: { importing: Importing }) {
  const { t } = useTranslation();
  return (
    <section className={`sheet ${styles.sheet} ${styles.rules}`} aria-label={t('import.duplicates')}>
      <Select
        label={t('import.duplicates')}
        description={t('import.duplicatesAbout')}
        allowDeselect={false}
        value={rules.duplicates}
        data={SCOPES.map(value => ({ value, label: t(`import.scope.${value}`) }))}
        onChange={value => rule({ duplicates: SCOPES.find(scope => scope === value) ?? 'CAMPAIGN' })}
      />
      <NumberInput
        label={t('import.contacted')}
        description={t('import.contactedAbout')}
        placeholder={t('import.contactedNever')}
        min={1}
        max={MAX_CONTACTED_DAYS}
        allowDecimal={false}
        value={rules.contactedWithinDays}
        onChange={value => rule({ contactedWithinDays: typeof value === 'number' ? value : '' })}
      />
    </section>
  );
}
