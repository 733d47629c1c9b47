import { Table, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { formatPhone } from '../../text/phone-number.ts';
import { Instant } from '../../ui/instant.tsx';
import type { AgentDayCallbackRowFragment } from './agent-day.generated.ts';
import styles from './agent-day.module.css';

const COLUMNS = ['due', 'customer', 'note', 'status'];

/** The callbacks of the day that the agent was to make itself. */
export function DayCallbacks({ callbacks }: { callbacks: readonly AgentDayCallbackRowFragment[] }) {
  const { t } = useTranslation();
  return (
    <section className={`sheet ${styles.sheet}`} aria-label={t('agentDay.callbacks')}>
      <Title order={2} mb="xs">
        {t('agentDay.callbacks')}
      </Title>
      {callbacks.length === 0 ? <Text className="quiet">{t('agentDay.noCallbacks')}</Text> : <Rows callbacks={callbacks} />}
    </section>
  );
}

function Rows({ callbacks }: { callbacks: readonly AgentDayCallbackRowFragment[] }) {
  const { t } = useTranslation();
  return (
    <Table.ScrollContainer minWidth={560}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            {COLUMNS.map(name => (
              <Table.Th key={name}>{t(`agentDay.column.${name}`)}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {callbacks.map(({ callbackId, dueAt, customerName, phoneNumber, note, status }) => (
            <Table.Tr key={callbackId}>
              <Table.Td>
                <Instant at={dueAt} />
              </Table.Td>
              <Table.Td>
                {customerName} <span className="quiet">{formatPhone(phoneNumber)}</span>
              </Table.Td>
              <Table.Td>{note}</Table.Td>
              <Table.Td>{t(`callbackStatus.${status}`)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
