import { useApolloClient, useMutation, useQuery } from '@apollo/client/react';
import { Select, Skeleton, Text, Textarea, TextInput } from '@mantine/core';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Form } from '../../form/form.tsx';
import { useForm } from '../../form/use-form.ts';
import { instantOf, localOf } from '../../text/local-time.ts';
import { formatPhone } from '../../text/phone-number.ts';
import { Instant } from '../../ui/instant.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SideDrawer } from '../../ui/side-drawer.tsx';
import { sayDone } from '../../ui/toast.ts';
import {
  AddDoNotCallDocument,
  DoNotCallEntriesDocument,
  DoNotCallEntryDocument,
  type DoNotCallRowFragment,
  NumberFaultDocument,
} from './do-not-call.generated.ts';
import { DoNotCallImport } from './do-not-call-import.tsx';
import { ExpiryField } from './expiry-field.tsx';

interface DoNotCallDrawerProps {
  /** Row id, `new`, `import`, or null when closed. */
  open: string | null;
  close: () => void;
  disabledReason: string | null;
}

/** One entry beside the list, a new number, or an import. */
export function DoNotCallDrawer({ open, close, disabledReason }: DoNotCallDrawerProps) {
  const { t } = useTranslation();
  const title = open === 'new' ? 'doNotCall.add' : open === 'import' ? 'doNotCall.import' : 'doNotCall.one';
  return (
    <SideDrawer isOpen={open !== null} close={close} title={t(title)} size={open === 'import' ? 'xl' : 'md'}>
      {open === 'new' && <EntryForm entry={null} close={close} disabledReason={disabledReason} />}
      {open === 'import' && <DoNotCallImport close={close} disabledReason={disabledReason} />}
      {open !== null && open !== 'new' && open !== 'import' && (
        <KnownEntry key={open} id={open} close={close} disabledReason={disabledReason} />
      )}
    </SideDrawer>
  );
}

function KnownEntry({ id, close, disabledReason }: { id: string; close: () => void; disabledReason: string | null }) {
  const { t } = useTranslation();
  const { data, error } = useQuery(DoNotCallEntryDocument, { variables: { id: `DoNotCallEntry:${id}` } });
  if (error) return <Notice error={error} />;
  if (!data) return <Skeleton height={240} />;
  const entry = data.node;
  if (entry?.__typename !== 'DoNotCallEntry') return <span className="quiet">{t('doNotCall.gone')}</span>;
  return (
    <>
      <Text className="quiet" mb="md">
        {t(`doNotCallSource.${entry.source}`)} · {entry.createdBy?.displayName} <Instant at={entry.createdAt} />
      </Text>
      <EntryForm entry={entry} close={close} disabledReason={disabledReason} />
    </>
  );
}

function EntryForm({
  entry,
  close,
  disabledReason,
}: {
  entry: DoNotCallRowFragment | null;
  close: () => void;
  disabledReason: string | null;
}) {
  const { t } = useTranslation();
  const [add] = useMutation(AddDoNotCallDocument, { refetchQueries: [DoNotCallEntriesDocument] });
  const doubtOf = useDoubt();
  const form = useForm({
    initial: {
      phoneNumber: entry?.phoneNumber ?? '',
      reason: entry?.reason ?? '',
      scope: entry?.scope ?? ('NUMBER' as const),
      expiresAt: localOf(entry?.expiresAt ?? null),
    },
    send: async ({ phoneNumber, reason, scope, expiresAt }) =>
      (entry ? null : await doubtOf(phoneNumber.trim())) ??
      (
        await add({
          variables: { input: { phoneNumber: phoneNumber.trim(), reason: reason.trim(), scope, expiresAt: instantOf(expiresAt) } },
        })
      ).data?.result,
    done: ({ phoneNumber }) => {
      sayDone(t('doNotCall.added', { number: formatPhone(phoneNumber) }));
      close();
    },
  });
  const { values, set, errorOf } = form;
  return (
    <Form form={form} action={t(entry ? 'doNotCall.save' : 'doNotCall.add')} cancel={close} disabledReason={disabledReason}>
      <TextInput
        type="tel"
        label={t('doNotCall.number')}
        required
        maxLength={64}
        readOnly={entry !== null}
        value={values.phoneNumber}
        error={errorOf('phoneNumber')}
        onChange={event => set({ phoneNumber: event.currentTarget.value })}
      />
      <Textarea
        label={t('doNotCall.reason')}
        maxLength={500}
        autosize
        minRows={2}
        value={values.reason}
        error={errorOf('reason')}
        onChange={event => set({ reason: event.currentTarget.value })}
      />
      <Select
        label={t('doNotCall.scope')}
        allowDeselect={false}
        value={values.scope}
        error={errorOf('scope')}
        data={(['NUMBER', 'PERSON'] as const).map(value => ({ value, label: t(`doNotCallScope.${value}`) }))}
        onChange={scope => scope && set({ scope })}
      />
      <ExpiryField value={values.expiresAt} error={errorOf('expiresAt')} change={expiresAt => set({ expiresAt })} />
    </Form>
  );
}

/**
 * Asks the user to check a number that an import would reject, once: the second attempt saves it.
 *
 * Why: with a missing digit the entry blocks a number that does not exist, and the customer is still called
 */
function useDoubt() {
  const { t } = useTranslation();
  const client = useApolloClient();
  const announced = useRef('');
  return async (number: string) => {
    if (number === '' || number === announced.current) return null;
    const { data } = await client.query({ query: NumberFaultDocument, variables: { number } });
    if (!data?.person?.numberFault) return null;
    announced.current = number;
    return { __typename: 'Doubt', code: 'DOUBT', message: t('doNotCall.doubt'), field: 'phoneNumber' } as const;
  };
}
