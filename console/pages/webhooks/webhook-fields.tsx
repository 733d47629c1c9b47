import { MultiSelect, PasswordInput, TagsInput, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Form } from '../../form/use-form.ts';
import { useEventNames } from './use-event-names.ts';
import type { WebhookValues } from './webhook-values.ts';

interface PartProps {
  form: Form<WebhookValues>;
  isFixed: boolean;
}

export function Address({ form: { values, set, errorOf }, isFixed }: PartProps) {
  const { t } = useTranslation();
  return (
    <TextInput
      label={t('webhooks.field.url')}
      description={t(`webhooks.about.url.${values.kind}`)}
      error={errorOf('url')}
      disabled={isFixed}
      required={!isFixed}
      maxLength={2_000}
      autoComplete="off"
      value={values.url}
      onChange={event => set({ url: event.currentTarget.value })}
    />
  );
}

/** Only mail has recipients, a sender and a user name. */
export function MailFields({ form: { values, set, errorOf }, isFixed }: PartProps) {
  const { t } = useTranslation();
  if (values.kind !== 'EMAIL') return null;
  return (
    <>
      <TagsInput
        label={t('webhooks.field.recipients')}
        description={t('webhooks.about.recipients')}
        error={errorOf('recipients')}
        disabled={isFixed}
        required={!isFixed}
        maxTags={50}
        value={[...values.recipients]}
        onChange={recipients => set({ recipients })}
      />
      <TextInput
        label={t('webhooks.field.sender')}
        error={errorOf('sender')}
        disabled={isFixed}
        required={!isFixed}
        maxLength={254}
        autoComplete="off"
        value={values.sender}
        onChange={event => set({ sender: event.currentTarget.value })}
      />
      <TextInput
        label={t('webhooks.field.username')}
        error={errorOf('username')}
        disabled={isFixed}
        maxLength={254}
        autoComplete="off"
        value={values.username}
        onChange={event => set({ username: event.currentTarget.value })}
      />
    </>
  );
}

/** The secret of a program is the server's; WeCom has none. */
export function OwnSecret({ form: { values, set, errorOf }, isFixed }: PartProps) {
  const { t } = useTranslation();
  if (values.kind === 'WEBHOOK' || values.kind === 'WECOM') return null;
  return (
    <PasswordInput
      label={t(values.kind === 'EMAIL' ? 'webhooks.field.password' : 'webhooks.field.secret')}
      description={t('webhooks.about.secret')}
      error={errorOf('secret')}
      disabled={isFixed}
      maxLength={512}
      autoComplete="new-password"
      visibilityToggleButtonProps={{ 'aria-label': t('signIn.showPassword') }}
      value={values.secret}
      onChange={event => set({ secret: event.currentTarget.value })}
    />
  );
}

export function EventTypes({ form: { values, set, errorOf }, isFixed }: PartProps) {
  const { t } = useTranslation();
  const { choices } = useEventNames();
  return (
    <MultiSelect
      label={t('webhooks.field.types')}
      description={t('webhooks.about.types')}
      error={errorOf('types')}
      disabled={isFixed}
      required={!isFixed}
      searchable
      data={choices}
      value={[...values.types]}
      onChange={types => set({ types })}
    />
  );
}
