import { Alert, Button, Group, MultiSelect, Select, Table, Text, TextInput, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ActButton } from '../../parts/act-button.tsx';
import { formatCount } from '../../text/format.ts';
import styles from './import.module.css';
import { ImportProgress } from './import-progress.tsx';
import type { Importing, Preview, Use } from './use-import.ts';

const USES: readonly Use[] = ['PHONE_NUMBER', 'CUSTOMER_NAME', 'REMARK', 'METADATA', 'IGNORED'];
const CARRIERS = ['MOBILE', 'UNICOM', 'TELECOM', 'BROADNET'] as const;

/** What the file holds, and what becomes of each of its columns. */
export function ColumnsStep({ importing, campaignId }: { importing: Importing; campaignId: string }) {
  const { t } = useTranslation();
  const { preview, uses, file, sheet } = importing;
  if (!preview) return null;
  const hasNumber = uses.includes('PHONE_NUMBER');
  return (
    <>
      <section className={`sheet ${styles.sheet}`}>
        <Group justify="space-between" mb="sm">
          <Title order={2}>{t('import.columnsOf', { name: file?.name ?? '', rows: formatCount(preview.totalRows) })}</Title>
          {preview.sheets.length > 1 && (
            <Select
              aria-label={t('import.sheet')}
              value={sheet ?? preview.sheets[0] ?? null}
              data={preview.sheets}
              allowDeselect={false}
              onChange={value => value && importing.chooseSheet(value)}
            />
          )}
        </Group>
        {!hasNumber && (
          <Alert color="yellow" mb="sm">
            {t('import.noNumber')}
          </Alert>
        )}
        <Columns importing={importing} preview={preview} />
      </section>
      <Rules importing={importing} />
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

function Columns({ importing, preview }: { importing: Importing; preview: Preview }) {
  const { t } = useTranslation();
  return (
    <Table.ScrollContainer minWidth={560}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('import.column')}</Table.Th>
            <Table.Th>{t('import.becomes')}</Table.Th>
            <Table.Th>{t('import.samples')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {preview.columns.map(({ name, samples }, index) => (
            <Table.Tr key={`${name} ${index}`}>
              <Table.Td>{name || <span className="quiet">{t('import.nameless', { index: index + 1 })}</span>}</Table.Td>
              <Table.Td>
                <Select
                  aria-label={t('import.becomesOf', { name: name || index + 1 })}
                  w={180}
                  size="xs"
                  allowDeselect={false}
                  value={importing.uses[index] ?? 'IGNORED'}
                  data={USES.map(value => ({
                    value,
                    label: t(`import.use.${value}`),
                    disabled: name === '' && value !== 'IGNORED' && value !== 'METADATA',
                  }))}
                  onChange={value => value && importing.use(index, value)}
                />
              </Table.Td>
              <Table.Td>
                <Text size="sm" className="quiet" lineClamp={1}>
                  {samples.filter(sample => sample !== '').join(' · ')}
                </Text>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Text size="sm" className="quiet" mt="xs">
        {t('import.variablesAbout')}
      </Text>
    </Table.ScrollContainer>
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
