import { useApolloClient } from '@apollo/client/react';
import { Alert, FileInput, Text, Textarea, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { upload } from '../../api/upload.ts';
import { Form } from '../../form/form.tsx';
import { useForm } from '../../form/use-form.ts';
import { sayDone } from '../../ui/toast.ts';
import { ConsentsDocument, ImportConsentsDocument } from './consents.generated.ts';

interface ImportValues {
  file: File | null;
  purpose: string;
  source: string;
  wording: string;
}

const EMPTY: ImportValues = { file: null, purpose: '', source: '', wording: '' };

/** Consents and revocations of a file; of a file with a faulty row nothing is written. */
export function ConsentImport({ close, disabledReason }: { close: () => void; disabledReason: string | null }) {
  const { t } = useTranslation();
  const client = useApolloClient();
  const form = useForm({
    initial: EMPTY,
    send: async ({ file, ...texts }: ImportValues) =>
      file ? (await upload(ImportConsentsDocument, { file, ...givenOf(texts) })).result : null,
    done: async ({ given, revoked }) => {
      sayDone(t('consents.imported', { given, revoked }));
      await client.refetchQueries({ include: [ConsentsDocument] });
      close();
    },
  });
  const { values, set, errorOf } = form;
  return (
    <Form form={form} action={t('consents.import')} cancel={close} disabledReason={disabledReason}>
      <Text className="quiet">{t('consents.aboutImport')}</Text>
      <FileInput
        label={t('consents.file')}
        placeholder={t('consents.chooseFile')}
        required
        clearable
        accept=".csv,.txt,.tsv,.xlsx"
        value={values.file}
        error={errorOf('file')}
        onChange={file => set({ file })}
      />
      <Alert color="gray">{t('consents.columns')}</Alert>
      {(['purpose', 'source'] as const).map(name => (
        <TextInput
          key={name}
          label={t(`consents.${name}`)}
          description={t('consents.forRowsWithout')}
          maxLength={name === 'purpose' ? 64 : 200}
          value={values[name]}
          error={errorOf(name)}
          onChange={event => set({ [name]: event.currentTarget.value })}
        />
      ))}
      <Textarea
        label={t('consents.wording')}
        description={t('consents.forRowsWithout')}
        autosize
        minRows={2}
        maxLength={4000}
        value={values.wording}
        error={errorOf('wording')}
        onChange={event => set({ wording: event.currentTarget.value })}
      />
    </Form>
  );
}

/** Empty texts are left to the rows of the file. */
function givenOf({ purpose, source, wording }: Omit<ImportValues, 'file'>) {
  return { purpose: purpose.trim() || null, source: source.trim() || null, wording: wording.trim() || null };
}
