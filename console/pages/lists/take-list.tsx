import { useQuery } from '@apollo/client/react';
import { Button, Group, Select, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useCommands } from '../../form/use-commands.ts';
import { formatCount } from '../../text/format.ts';
import { ActButton } from '../../ui/act-button.tsx';
import { useDisabledReason } from '../../ui/use-disabled-reason.ts';
import { useTyped } from '../../ui/use-typed.ts';
import { ImportRun } from './import-run.tsx';
import { ContactListsDocument, UseContactListDocument } from './lists.generated.ts';

/** A campaign takes the contacts of a list, whether it runs or not. */
export function TakeList({ campaignId }: { campaignId: string }) {
  const { t } = useTranslation();
  const { run } = useCommands();
  const [listId, setListId] = useState<string | null>(null);
  const [importId, setImportId] = useState<string | null>(null);
  const [refused, setRefused] = useState<string | null>(null);
  const denied = useDisabledReason('import:write');

  async function take(): Promise<void> {
    const result = await run(UseContactListDocument, { id: listId ?? '', campaignId });
    setRefused(result && 'message' in result ? result.message : null);
    if (result?.__typename === 'Job') setImportId(result.databaseId);
  }

  return (
    <>
      <Group align="end" mt="md">
        <ListSelect value={listId} choose={setListId} />
        <ActButton variant="default" reason={denied ?? (listId === null ? t('lists.chooseFirst') : null)} act={() => void take()}>
          {t('lists.take')}
        </ActButton>
        <Button component={Link} to={`/campaigns/${campaignId}/import-list`} variant="subtle">
          {t('lists.largeFile')}
        </Button>
      </Group>
      {refused && (
        <Text role="alert" className="tone-failed" mt="xs">
          {refused}
        </Text>
      )}
      {importId !== null && <ImportRun importId={importId} />}
    </>
  );
}

function ListSelect({ value, choose }: { value: string | null; choose: (listId: string | null) => void }) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const search = useTyped(typed);
  const { data, previousData } = useQuery(ContactListsDocument, { variables: { search: search || null, kind: 'CONTACTS', first: 20 } });
  const lists = (data ?? previousData)?.contactLists?.nodes.filter(({ version }) => version > 0) ?? [];
  return (
    <Select
      label={t('lists.choose')}
      w={320}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('filters.any', { name: t('lists.choose') }) }}
      value={value}
      onChange={choose}
      onSearchChange={setTyped}
      filter={({ options }) => options}
      nothingFoundMessage={t('lists.noneFound')}
      data={lists.map(({ databaseId, name, rowCount }) => ({
        value: databaseId,
        label: t('lists.choice', { name, rows: formatCount(rowCount) }),
      }))}
    />
  );
}
