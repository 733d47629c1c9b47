import { useTranslation } from 'react-i18next';
import type { Noun } from '../../form/noun.ts';
import { useCommands } from '../../form/use-commands.ts';
import { ListFacts } from './list-facts.tsx';
import {
  type ContactListRowFragment,
  CreateContactListDocument,
  OneContactListDocument,
  RemoveContactListDocument,
  UpdateContactListDocument,
} from './lists.generated.ts';

export const LIST_KINDS = ['CONTACTS', 'DO_NOT_CALL'] as const;

interface ListValues {
  name: string;
  kind: ContactListRowFragment['kind'];
  description: string;
}

function valuesOf(row: ContactListRowFragment | null): ListValues {
  const { name = '', kind = 'CONTACTS', description = '' } = row ?? {};
  return { name, kind, description };
}

/** How lists of the library are made, changed and removed. */
export function useListNoun(listChanged: () => unknown): Noun<ContactListRowFragment, ListValues> {
  const { t } = useTranslation();
  const { run, read } = useCommands();
  return {
    text: 'lists',
    needs: 'import:write',
    auditedAs: 'list',
    nameOf: ({ name }) => name,
    fields: row => [
      { kind: 'text', name: 'name', maxLength: 100, isNeeded: true },
      {
        kind: 'choice',
        name: 'kind',
        isNeeded: true,
        hasAbout: true,
        fixed: row && t('lists.kindStays'),
        choices: LIST_KINDS.map(value => ({ value, label: t(`lists.kind.${value}`) })),
      },
      { kind: 'long', name: 'description', maxLength: 500 },
    ],
    valuesOf,
    listChanged,
    create: input => run(CreateContactListDocument, { input }),
    update: ({ databaseId: id }, { kind: _kind, ...input }) => run(UpdateContactListDocument, { id, input }),
    remove: ({ databaseId: id }) => run(RemoveContactListDocument, { id }),
    reload: async ({ databaseId }) => (await read(OneContactListDocument, { id: databaseId }))?.contactList ?? null,
    facts: row => <ListFacts row={row} />,
  };
}
