import { Table, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Facts } from '../../ui/facts.tsx';
import styles from './audit.module.css';
import { detailOf, useAuditValues } from './audit-values.ts';
import { ScriptChange } from './script-change.tsx';

interface ChangesProps {
  targetType: string;
  targetId: string | null;
  detail: unknown;
}

/** Changes of an action, field by field with the values before and after, and its other details. */
export function Changes({ targetType, targetId, detail }: ChangesProps) {
  const { t } = useTranslation();
  const { before, after, names, rest } = detailOf(detail);
  const { nameOf, wordOf } = useAuditValues(targetType);
  const valueOf = (name: string, value: unknown) => <Value key={name} word={wordOf(name, value)} value={value} />;
  return (
    <>
      {names.length > 0 && (
        <section>
          <Title order={3} mb="xs">
            {t('audit.changed')}
          </Title>
          <Table verticalSpacing={6} layout="fixed">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('audit.field')}</Table.Th>
                <Table.Th>{t('audit.before')}</Table.Th>
                <Table.Th>{t('audit.after')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {names.map(name => (
                <Table.Tr key={name}>
                  <Table.Td>{nameOf(name, after[name])}</Table.Td>
                  <Table.Td className={styles.before}>{valueOf(name, before[name])}</Table.Td>
                  <Table.Td className={styles.after}>{valueOf(name, after[name])}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </section>
      )}
      {targetType === 'script' && targetId !== null && (
        <ScriptChange id={targetId} before={before['currentVersion']} after={after['currentVersion']} />
      )}
      {Object.keys(rest).length > 0 && (
        <section>
          <Title order={3} mt="md" mb="xs">
            {t('audit.detail')}
          </Title>
          <Facts facts={Object.entries(rest).map(([name, value]) => [nameOf(name), valueOf(name, value)])} />
        </section>
      )}
    </>
  );
}

function Value({ word, value }: { word: string | null; value: unknown }) {
  if (word === null) return <pre className={styles.json}>{JSON.stringify(value, null, 1)}</pre>;
  return word;
}
