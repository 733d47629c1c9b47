import { Table } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Instant } from '../../ui/instant.tsx';
import type { ScriptActivationFragment } from './script.generated.ts';

/** The activations of a script's versions, with user, time and reason. */
export function ScriptActivations({ activations }: { activations: readonly ScriptActivationFragment[] }) {
  const { t } = useTranslation();
  if (activations.length === 0) return <p className="quiet">{t('script.noActivations')}</p>;
  return (
    <div className="sheet">
      <Table aria-label={t('script.activations')} verticalSpacing="sm" horizontalSpacing="md">
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={210}>{t('script.actedAt')}</Table.Th>
            <Table.Th w={140}>{t('scripts.version')}</Table.Th>
            <Table.Th w={160}>{t('script.actedBy')}</Table.Th>
            <Table.Th>{t('script.reason')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {activations.map(({ databaseId, version, reason, actedBy, createdAt }) => (
            <Table.Tr key={databaseId}>
              <Table.Td>
                <Instant at={createdAt} />
              </Table.Td>
              <Table.Td>
                {version === null ? <span className="quiet">{t('script.outOfUse')}</span> : t('script.version', { version })}
              </Table.Td>
              <Table.Td>{actedBy?.displayName}</Table.Td>
              <Table.Td>{reason}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}
