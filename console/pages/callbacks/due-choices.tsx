import { useQuery } from '@apollo/client/react';
import { Button, Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { instantOf, localOf } from '../../text/local-time.ts';
import { CustomersTime } from '../../ui/customers-time.tsx';
import { useNow } from '../../ui/use-now.ts';
import { ContactZonesDocument } from './callbacks.generated.ts';
import { usualTimes } from './usual-times.ts';

/** Refresh interval in ms: a time that has passed is no longer offered. */
const LOOK_MS = 60_000;

/** Usual times of a callback, each set by one press. */
export function DueChoices({ choose }: { choose: (local: string) => void }) {
  const { t } = useTranslation();
  const now = useNow(LOOK_MS);
  return (
    <Group gap="xs" role="group" aria-label={t('callbacks.usualTimes')}>
      {usualTimes(now).map(({ name, at }) => (
        <Button key={name} size="compact-sm" variant="default" onClick={() => choose(localOf(new Date(at).toISOString()))}>
          {t(`callbacks.usual.${name}`)}
        </Button>
      ))}
    </Group>
  );
}

/** The chosen time on the customer's clock, where that differs. */
export function ChosenForCustomer({ contactId, local }: { contactId: string; local: string }) {
  const { data } = useQuery(ContactZonesDocument, { variables: { id: contactId } });
  const due = instantOf(local);
  return due && <CustomersTime zones={data?.contact?.zones ?? []} at={Date.parse(due)} />;
}
