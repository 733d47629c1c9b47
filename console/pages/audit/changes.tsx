import { Table, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Facts } from '../../parts/facts.tsx';
import styles from './audit.module.css';

/** The section of the texts that names the fields of each kind of object. */
const FIELDS: Readonly<Record<string, string>> = {
  line: 'lines.field',
  agent: 'agents.field',
  agent_group: 'groups.field',
  user: 'users.field',
  campaign: 'campaignForm',
};

type Members = Readonly<Record<string, unknown>>;

function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {};
}

/** What an action changed, field by field with the value before and after; and what else is told of it. */
export function Changes({ targetType, detail }: { targetType: string; detail: unknown }) {
  const { t } = useTranslation();
  const { before: old, after: now, ...rest } = membersOf(detail);
  const [before, after] = [membersOf(old), membersOf(now)];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const nameOf = useFieldName(targetType);
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
                  <Table.Td>{nameOf(name)}</Table.Td>
                  <Table.Td className={styles.before}>
                    <Value value={before[name]} />
                  </Table.Td>
                  <Table.Td className={styles.after}>
                    <Value value={after[name]} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </section>
      )}
      {Object.keys(rest).length > 0 && (
        <section>
          <Title order={3} mt="md" mb="xs">
            {t('audit.detail')}
          </Title>
          <Facts facts={Object.entries(rest).map(([name, value]) => [nameOf(name), <Value key={name} value={value} />])} />
        </section>
      )}
    </>
  );
}

/** What the form calls the field; its own name when none does. */
function useFieldName(targetType: string): (name: string) => string {
  const { t, i18n } = useTranslation();
  return name => {
    const key = [`${FIELDS[targetType]}.${name}`, `auditField.${name}`].find(each => i18n.exists(each));
    return key ? t(key) : name;
  };
}

function Value({ value }: { value: unknown }) {
  const { t } = useTranslation();
  if (value === null || value === undefined || value === '')
    return (
      <Text span className="quiet">
        {t('noun.nothing')}
      </Text>
    );
  if (typeof value === 'boolean') return t(value ? 'noun.yes' : 'noun.no');
  if (typeof value === 'object') return <pre className={styles.json}>{JSON.stringify(value, null, 1)}</pre>;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
