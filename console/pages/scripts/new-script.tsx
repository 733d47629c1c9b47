import { useQuery } from '@apollo/client/react';
import { Radio, Select, Stack, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { Form } from '../../form/form.tsx';
import { useCommands } from '../../form/use-commands.ts';
import { useForm } from '../../form/use-form.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { sayDone } from '../../ui/toast.ts';
import { NewScriptChoicesDocument, type NewScriptChoicesQuery, SaveNewScriptDocument } from './scripts.generated.ts';

interface NewScriptProps {
  /** Code of the business that it is for; `any`: to be chosen. */
  business: string;
  close: () => void;
}

/** A new script from a template. It is disabled until somebody puts it in force. */
export function NewScript({ business, close }: NewScriptProps) {
  const { t } = useTranslation();
  // Asked anew: a business may have been made since, and the form chooses one from the list that it begins with.
  const { data } = useQuery(NewScriptChoicesDocument, { fetchPolicy: 'network-only' });
  return (
    <Dialog isOpen close={close} title={t('scriptNew.title')}>
      {data && <NewScriptForm business={business} close={close} choices={data} />}
    </Dialog>
  );
}

function NewScriptForm({ business, close, choices }: NewScriptProps & { choices: NewScriptChoicesQuery }) {
  const { t } = useTranslation();
  const { run } = useCommands();
  const navigate = useNavigate();
  const templates = choices.scriptTemplates ?? [];
  const businesses = choices.businesses ?? [];
  const only = business === 'any' && businesses.length === 1 ? businesses[0] : undefined;
  const first = businesses.find(({ businessCode }) => businessCode === business) ?? only;
  const form = useForm({
    initial: { name: '', businessCode: first?.businessCode ?? '', template: templates[1]?.key ?? '' },
    send: ({ template, ...head }) => {
      const body = Object(templates.find(({ key }) => key === template)?.body) as Omit<Parameters<typeof sent>[0], 'name' | 'businessCode'>;
      return run(SaveNewScriptDocument, { input: { ...sent({ ...body, ...head }), isEnabled: false } });
    },
    done: result => {
      if (result.__typename !== 'Script') return;
      sayDone(t('scriptNew.made', { name: result.name }));
      void navigate(`/scripts/${result.databaseId}/edit`);
    },
  });
  if (businesses.length === 0) return <Link to="/businesses?open=new">{t('scriptNew.noBusiness')}</Link>;
  return (
    <Form form={form} action={t('scriptNew.make')} cancel={close}>
      <TextInput
        label={t('scriptNew.name')}
        required
        maxLength={128}
        data-autofocus
        value={form.values.name}
        error={form.errorOf('name')}
        onChange={event => form.set({ name: event.currentTarget.value })}
      />
      <Select
        label={t('scriptNew.business')}
        required
        searchable
        placeholder={t('scriptNew.choose')}
        data={businesses.map(({ businessCode, businessName }) => ({ value: businessCode, label: `${businessName} (${businessCode})` }))}
        value={form.values.businessCode || null}
        error={form.errorOf('businessCode')}
        onChange={businessCode => form.set({ businessCode: businessCode ?? '' })}
      />
      <Radio.Group label={t('scriptNew.template')} value={form.values.template} onChange={template => form.set({ template })}>
        <Stack gap={6} mt={4}>
          {templates.map(({ key }) => (
            <Radio key={key} value={key} label={t(`scriptTemplate.${key}`, { defaultValue: key })} />
          ))}
        </Stack>
      </Radio.Group>
    </Form>
  );
}

interface Sent {
  name: string;
  businessCode: string;
  entryNodeId: string;
  nodes: unknown;
  variables: unknown;
  phrases: unknown;
  nlu: unknown;
  resultRules: unknown;
}

function sent({ name, businessCode, entryNodeId, nodes, variables, phrases, nlu, resultRules }: Sent): Sent {
  return { name, businessCode, entryNodeId, nodes, variables, phrases, nlu, resultRules };
}
