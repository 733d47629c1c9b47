import type { WebhookRowFragment } from './webhooks.generated.ts';

export const KINDS = ['WEBHOOK', 'FEISHU', 'DINGTALK', 'WECOM', 'EMAIL'] as const;
export const LEVELS = ['WARNING', 'ERROR'] as const;

export interface WebhookValues {
  name: string;
  kind: (typeof KINDS)[number];
  url: string;
  secret: string;
  recipients: readonly string[];
  sender: string;
  username: string;
  types: readonly string[];
  minLevel: (typeof LEVELS)[number];
}

const EMPTY: WebhookValues = {
  name: '',
  kind: 'WEBHOOK',
  url: '',
  secret: '',
  recipients: [],
  sender: '',
  username: '',
  types: ['attempt.settled'],
  minLevel: 'WARNING',
};

/** A secret is never shown: an empty field leaves it as it is. */
export function valuesOf(row: WebhookRowFragment | null): WebhookValues {
  if (row === null) return EMPTY;
  const { name, kind, url, recipients, sender, username, types, minLevel } = row;
  return { name, kind, url, secret: '', recipients, sender, username, types, minLevel };
}

/** The lists of the form are read-only. */
export function inputOf({ recipients, types, ...others }: WebhookValues) {
  return { ...others, recipients: [...recipients], types: [...types] };
}

export function changesOf({ recipients, types, ...others }: Partial<Omit<WebhookValues, 'kind'>>) {
  return { ...others, ...(recipients && { recipients: [...recipients] }), ...(types && { types: [...types] }) };
}
