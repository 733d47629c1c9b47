import { Stack, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../api/me.ts';
import { Instant } from '../../ui/instant.tsx';
import { DispositionForm } from '../dispositions/disposition-form.tsx';
import type { CallQuery } from './call.generated.ts';

type Call = NonNullable<CallQuery['attempt']>;

/** The dispositions of a call, with the form for its agent and for users who may change results. */
export function CallDispositions({ call }: { call: Call }) {
  const { t } = useTranslation();
  const { may } = useMe();
  // Users who may change results did not talk in the call: their form corrects what an agent said.
  const asks = call.mayDispose && (call.dispositions.length > 0 || may('contact:write') === false);
  if (!asks && call.dispositions.length === 0) return null;
  return (
    <Stack gap="xs" mt="md">
      {call.dispositions.length > 0 && <Title order={2}>{t('dispositions.ofCall')}</Title>}
      {call.dispositions.map(({ id, label, note, agent, user, updatedAt }) => (
        <div key={id}>
          <Text fw={600}>{label}</Text>
          {note !== '' && <Text>{note}</Text>}
          <Text className="quiet">
            {agent?.name ?? user?.displayName} · <Instant at={updatedAt} />
          </Text>
        </div>
      ))}
      {asks && <DispositionForm callKey={`attempt:${call.databaseId}`} />}
    </Stack>
  );
}
