import { useQuery } from '@apollo/client/react';
import { Box, Button, Group, Table, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useMe } from '../../api/me.ts';
import { formatCount } from '../../text/format.ts';
import { Instant } from '../../ui/instant.tsx';
import { ImportRun } from './import-run.tsx';
import { ContactListDetailDocument, type ContactListRowFragment, ImportsOfListDocument } from './lists.generated.ts';

const LOOK_MS = 3_000;

/** Details of a list: its rows, the imports that wrote them, and the campaigns that use it. */
export function ListFacts({ row }: { row: ContactListRowFragment }) {
  const { t } = useTranslation();
  const { may } = useMe();
  return (
    <>
      {may('import:write') && (
        <Group mb="md">
          <Button component={Link} to={`/lists/${row.databaseId}/import`} variant="light">
            {t(row.version === 0 ? 'lists.firstImport' : 'lists.nextImport')}
          </Button>
          <Text size="sm" className="quiet">
            {row.version === 0 ? t('lists.noRows') : t('lists.now', { rows: formatCount(row.rowCount), version: row.version })}
          </Text>
        </Group>
      )}
      {may('import:write') && <Imports listId={row.databaseId} />}
      <Versions listId={row.databaseId} key={row.version} />
    </>
  );
}

/** The import that is under way, and those that ended lately with something to say. */
function Imports({ listId }: { listId: string }) {
  const { data } = useQuery(ImportsOfListDocument, { variables: { listId }, pollInterval: LOOK_MS, fetchPolicy: 'cache-and-network' });
  const [latest] = data?.listImports?.nodes ?? [];
  return latest ? <ImportRun importId={latest.databaseId} /> : null;
}

function Versions({ listId }: { listId: string }) {
  const { t } = useTranslation();
  const { data } = useQuery(ContactListDetailDocument, { variables: { id: listId }, fetchPolicy: 'cache-and-network' });
  const { versions, campaigns } = data?.contactList ?? {};
  return (
    <>
      {versions && versions.length > 0 && (
        <Box component="section" mb="md">
          <Title order={3} mb="xs" mt="md">
            {t('lists.versions')}
          </Title>
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('lists.version')}</Table.Th>
                <Table.Th>{t('lists.file')}</Table.Th>
                <Table.Th ta="right">{t('lists.rows')}</Table.Th>
                <Table.Th ta="right">{t('lists.created')}</Table.Th>
                <Table.Th ta="right">{t('lists.changed')}</Table.Th>
                <Table.Th>{t('lists.at')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {versions.map(({ version, fileName, rows, createdRows, updatedRows, createdAt }) => (
                <Table.Tr key={version}>
                  <Table.Td>{version}</Table.Td>
                  <Table.Td>{fileName}</Table.Td>
                  <Table.Td ta="right">{formatCount(rows)}</Table.Td>
                  <Table.Td ta="right">{formatCount(createdRows)}</Table.Td>
                  <Table.Td ta="right">{formatCount(updatedRows)}</Table.Td>
                  <Table.Td className="quiet">
                    <Instant at={createdAt} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Box>
      )}
      {campaigns && campaigns.length > 0 && (
        <Box component="section" mb="md">
          <Title order={3} mb="xs" mt="md">
            {t('lists.takenBy')}
          </Title>
          {campaigns.map(({ campaignId, campaignName, version }) => (
            <Text key={campaignId} size="sm">
              <Link to={`/campaigns/${campaignId}`}>{campaignName}</Link> {t('lists.tookVersion', { version })}
            </Text>
          ))}
        </Box>
      )}
    </>
  );
}
