import { useMutation } from '@apollo/client/react';
import { PasswordInput, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useMe } from '../../api/me.ts';
import { Form, FormPart } from '../../form/form.tsx';
import { useForm } from '../../form/use-form.ts';
import { Preferences } from '../../shell/preferences.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { sayDone } from '../../ui/toast.ts';
import { ChangeOwnPasswordDocument } from './account.generated.ts';
import styles from './account.module.css';

/** The user's own account: identity, preferences and password. */
export function AccountPage() {
  const { t } = useTranslation();
  const { user } = useMe();
  return (
    <Stack className={styles.page}>
      <div>
        <PageHeading>{user?.displayName || user?.username}</PageHeading>
        <Text className="quiet">{user && `${user.username} · ${t(`roles.${user.role}`)}`}</Text>
      </div>
      <FormPart title={t('account.looks')}>
        <Text className="quiet">{t('account.looksAbout')}</Text>
        <Preferences isCentred={false} />
      </FormPart>
      <OwnPassword />
    </Stack>
  );
}

function OwnPassword() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [change] = useMutation(ChangeOwnPasswordDocument);
  const form = useForm({
    initial: { oldPassword: '', newPassword: '', repeated: '' },
    send: async ({ oldPassword, newPassword }) => (await change({ variables: { oldPassword, newPassword } })).data?.changeOwnPassword,
    done: () => {
      sayDone(t('account.changed'));
      return navigate('/');
    },
  });
  const { values, set, errorOf } = form;
  const isOther = values.repeated !== '' && values.repeated !== values.newPassword;
  const isReady = !isOther && values.repeated !== '';
  const show = { 'aria-label': t('signIn.showPassword') };
  return (
    <Form
      form={{ ...form, submit: event => (isReady ? form.submit(event) : event?.preventDefault()) }}
      action={t('account.change')}
      cancel={() => void navigate('/')}
    >
      <FormPart title={t('account.password')}>
        <Text className="quiet">{t('account.passwordAbout')}</Text>
        <PasswordInput
          label={t('account.oldPassword')}
          autoComplete="current-password"
          required
          value={values.oldPassword}
          onChange={event => set({ oldPassword: event.currentTarget.value })}
          error={errorOf('oldPassword')}
          visibilityToggleButtonProps={show}
        />
        <PasswordInput
          label={t('account.newPassword')}
          description={t('account.newPasswordAbout')}
          autoComplete="new-password"
          required
          value={values.newPassword}
          onChange={event => set({ newPassword: event.currentTarget.value })}
          error={errorOf('newPassword')}
          visibilityToggleButtonProps={show}
        />
        <PasswordInput
          label={t('account.repeated')}
          autoComplete="new-password"
          required
          value={values.repeated}
          onChange={event => set({ repeated: event.currentTarget.value })}
          error={isOther ? t('account.differs') : undefined}
          visibilityToggleButtonProps={show}
        />
      </FormPart>
    </Form>
  );
}
