import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Field } from '../../form/fields.tsx';
import type { Noun } from '../../form/noun.ts';
import { useCommands } from '../../form/use-commands.ts';
import { Deliveries } from './deliveries.tsx';
import { SecretModal } from './secret-modal.tsx';
import { Address, EventTypes, MailFields, OwnSecret } from './webhook-fields.tsx';
import { WebhookFacts } from './webhook-facts.tsx';
import { changesOf, inputOf, KINDS, LEVELS, valuesOf, type WebhookValues } from './webhook-values.ts';
import {
  CreateWebhookDocument,
  DeleteWebhookDocument,
  UpdateWebhookDocument,
  type WebhookRowFragment,
  WebhooksDocument,
} from './webhooks.generated.ts';

interface WebhookNoun {
  noun: Noun<WebhookRowFragment, WebhookValues>;
  /** A new secret, shown until it is closed. */
  secretModal: ReactNode;
}

/** How endpoints are made, changed, paused and deleted. */
export function useWebhookNoun(listChanged: () => unknown): WebhookNoun {
  const [secret, setSecret] = useState<string | null>(null);
  const { run, read } = useCommands();
  const fields = useFields();
  const noun: Noun<WebhookRowFragment, WebhookValues> = {
    text: 'webhooks',
    needs: 'admin',
    auditedAs: 'webhook',
    nameOf: ({ name }) => name,
    fields,
    valuesOf,
    listChanged,
    async create(input) {
      const result = await run(CreateWebhookDocument, { input: inputOf(input) });
      if (!result || !('webhook' in result)) return result;
      setSecret(result.secret ?? null);
      return result.webhook;
    },
    update: ({ databaseId: id }, { kind: _kind, ...changes }) => run(UpdateWebhookDocument, { id, input: changesOf(changes) }),
    reload: async ({ id }) => (await read(WebhooksDocument, {}))?.webhooks?.find(webhook => webhook.id === id) ?? null,
    remove: ({ databaseId: id }) => run(DeleteWebhookDocument, { id }),
    power: {
      isEnabled: ({ status }) => status === 'ENABLED',
      set: ({ databaseId: id }, isEnabled) => run(UpdateWebhookDocument, { id, input: { status: isEnabled ? 'ENABLED' : 'PAUSED' } }),
    },
    facts: row => <WebhookFacts row={row} tellSecret={setSecret} />,
    more: row => <Deliveries webhookId={row.databaseId} />,
  };
  return { noun, secretModal: <SecretModal secret={secret} close={() => setSecret(null)} /> };
}

function useFields(): (row: WebhookRowFragment | null) => readonly Field<WebhookValues>[] {
  const { t } = useTranslation();
  return row => [
    { kind: 'text', name: 'name', maxLength: 128, isNeeded: true },
    {
      kind: 'choice',
      name: 'kind',
      isNeeded: true,
      fixed: row && t('webhooks.kindStays'),
      choices: KINDS.map(value => ({ value, label: t(`webhookKind.${value}`) })),
    },
    { kind: 'own', name: 'url', draw: (form, isFixed) => <Address form={form} isFixed={isFixed} /> },
    { kind: 'own', name: 'recipients', draw: (form, isFixed) => <MailFields form={form} isFixed={isFixed} /> },
    { kind: 'own', name: 'secret', draw: (form, isFixed) => <OwnSecret form={form} isFixed={isFixed} /> },
    { kind: 'own', name: 'types', draw: (form, isFixed) => <EventTypes form={form} isFixed={isFixed} /> },
    {
      kind: 'choice',
      name: 'minLevel',
      isNeeded: true,
      choices: LEVELS.map(value => ({ value, label: t(`webhookLevel.${value}`) })),
    },
  ];
}
