import { useApolloClient, useMutation } from '@apollo/client/react';
import { Group, SegmentedControl, Text, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Form } from '../../form/form.tsx';
import { useForm } from '../../form/use-form.ts';
import { instantOf } from '../../text/local-time.ts';
import { formatPhone } from '../../text/phone-number.ts';
import { ActButton } from '../../ui/act-button.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Instant } from '../../ui/instant.tsx';
import { SideDrawer } from '../../ui/side-drawer.tsx';
import { sayDone } from '../../ui/toast.ts';
import { ConsentImport } from './consent-import.tsx';
import { ConsentEvidenceDocument, type ConsentRowFragment, ConsentsDocument, RecordConsentDocument } from './consents.generated.ts';
import { saveFile } from '../../ui/save-file.ts';

interface ConsentDrawerProps {
  /** Row id, `new`, `import`, or null when closed. */
  open: string | null;
  rows: readonly ConsentRowFragment[];
  close: () => void;
  disabledReason: string | null;
}

/** One entry beside the ledger, a new one, or an import. */
export function ConsentDrawer({ open, rows, close, disabledReason }: ConsentDrawerProps) {
  const { t } = useTranslation();
  const title = open === 'new' ? 'consents.add' : open === 'import' ? 'consents.import' : 'consents.one';
  const row = rows.find(({ databaseId }) => databaseId === open);
  return (
    <SideDrawer isOpen={open !== null} close={close} title={t(title)} size="md">
      {open === 'new' && <NewConsent close={close} disabledReason={disabledReason} />}
      {open === 'import' && <ConsentImport close={close} disabledReason={disabledReason} />}
      {row && <KnownConsent key={row.id} row={row} disabledReason={disabledReason} />}
    </SideDrawer>
  );
}

const EMPTY = {
  phoneNumber: '',
  kind: 'GIVEN' as 'GIVEN' | 'REVOKED',
  purpose: 'marketing',
  source: '',
  wording: '',
  at: '',
  until: '',
  evidence: '',
};

function NewConsent({ close, disabledReason }: Pick<ConsentDrawerProps, 'close' | 'disabledReason'>) {
  const { t } = useTranslation();
  const [record] = useMutation(RecordConsentDocument, { refetchQueries: [ConsentsDocument] });
  const form = useForm({
    initial: EMPTY,
    send: async ({ at, until, ...texts }) => {
      const entry = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, text.trim()])) as typeof texts;
      const input = { ...entry, at: instantOf(at), until: texts.kind === 'GIVEN' ? instantOf(until) : null };
      return (await record({ variables: { input } })).data?.result;
    },
    done: ({ phoneNumber }) => {
      sayDone(t('consents.recorded', { number: formatPhone(phoneNumber) }));
      close();
    },
  });
  const { values, set, errorOf } = form;
  const text = (name: 'phoneNumber' | 'purpose' | 'source' | 'evidence', maxLength: number, required: boolean) => (
    <TextInput
      label={t(`consents.${name === 'phoneNumber' ? 'number' : name}`)}
      required={required}
      maxLength={maxLength}
      value={values[name]}
      error={errorOf(name)}
      onChange={event => set({ [name]: event.currentTarget.value })}
    />
  );
  return (
    <Form form={form} action={t('consents.record')} cancel={close} disabledReason={disabledReason}>
      <SegmentedControl
        aria-label={t('consents.kind')}
        value={values.kind}
        onChange={kind => set({ kind, purpose: kind === 'GIVEN' ? 'marketing' : '' })}
        data={(['GIVEN', 'REVOKED'] as const).map(value => ({ value, label: t(`consentKind.${value}`) }))}
      />
      {text('phoneNumber', 64, true)}
      {text('purpose', 64, values.kind === 'GIVEN')}
      {values.kind === 'REVOKED' && (
        <Text className="quiet" size="sm">
          {t('consents.aboutRevoked')}
        </Text>
      )}
      {text('source', 200, true)}
      <Textarea
        label={t('consents.wording')}
        description={t('consents.aboutWording')}
        autosize
        minRows={2}
        maxLength={4000}
        value={values.wording}
        error={errorOf('wording')}
        onChange={event => set({ wording: event.currentTarget.value })}
      />
      <Group grow>
        {(['at', 'until'] as const)
          .filter(name => name === 'at' || values.kind === 'GIVEN')
          .map(name => (
            <TextInput
              key={name}
              type="datetime-local"
              label={t(`consents.${name}`)}
              description={t(name === 'at' ? 'consents.aboutAt' : 'consents.aboutUntil')}
              value={values[name]}
              error={errorOf(name)}
              onChange={event => set({ [name]: event.currentTarget.value })}
            />
          ))}
      </Group>
      {text('evidence', 500, false)}
    </Form>
  );
}

/** An entry, and all entries of its person as one file. */
function KnownConsent({ row, disabledReason }: { row: ConsentRowFragment; disabledReason: string | null }) {
  const { t } = useTranslation();
  const client = useApolloClient();
  const [failed, setFailed] = useState<string | null>(null);
  const { phoneNumber, kind, purpose, source, wording, at, until, evidence, origin, createdBy } = row;
  const download = async () => {
    const { data } = await client.query({ query: ConsentEvidenceDocument, variables: { number: phoneNumber }, fetchPolicy: 'no-cache' });
    const found = data?.consentEvidence;
    if (found) saveFile(`consent-${found.phoneNumber}.json`, JSON.stringify(found, null, 2));
  };
  return (
    <>
      <Facts
        facts={[
          [t('consents.number'), formatPhone(phoneNumber)],
          [t('consents.kind'), t(`consentKind.${kind}`)],
          [t('consents.purpose'), purpose || t('consents.allPurposes')],
          [t('consents.source'), source],
          [t('consents.wording'), wording],
          [t('consents.at'), <Instant key="at" at={at} />],
          [t('consents.until'), until ? <Instant at={until} /> : null],
          [t('consents.evidence'), evidence],
          [t('consents.by'), `${t(`consentOrigin.${origin}`)} ${createdBy?.displayName ?? ''}`],
        ]}
      />
      <Group mt="md">
        <ActButton variant="default" act={() => void download().catch((error: Error) => setFailed(error.message))} reason={disabledReason}>
          {t('consents.download')}
        </ActButton>
      </Group>
      <Text className="quiet" size="sm" mt="xs">
        {failed ?? t('consents.aboutEvidence')}
      </Text>
    </>
  );
}
