import { Alert, Button, Paper, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, useNavigate, useSearchParams } from 'react-router';
import { currentSession, type Farewell, takeFarewell } from '../../api/session.ts';
import { SignInRefused, signIn } from '../../api/sign-in.ts';
import { Preferences } from '../../shell/preferences.tsx';
import { localPath } from './local-path.ts';
import styles from './sign-in.module.css';

type FormFields = HTMLFormControlsCollection & Record<'username' | 'password', HTMLInputElement>;

export function SignInPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [query] = useSearchParams();
  const [farewell] = useState<Farewell | null>(takeFarewell);
  const [problem, setProblem] = useState<string | null>(null);
  const [isAsking, setAsking] = useState(false);
  const target = localPath(query.get('to'));
  if (currentSession()) return <Navigate to={target} replace />;

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const { username, password } = event.currentTarget.elements as FormFields;
    setAsking(true);
    setProblem(null);
    try {
      await signIn(username.value.trim(), password.value);
      await navigate(target, { replace: true });
    } catch (error) {
      setProblem(error instanceof SignInRefused ? error.message : t('signIn.unreachable'));
      setAsking(false);
    }
  }

  return (
    <main className={styles.page}>
      <title>{`${t('signIn.title')} · Callout`}</title>
      <Paper className={`sheet ${styles.card}`} p="xl" component="section">
        <Stack gap="xs" mb="lg">
          <img src="icon.svg" width={36} height={36} alt="" />
          <Title order={1}>Callout</Title>
          <Text className="quiet">{t('signIn.about')}</Text>
        </Stack>
        <form onSubmit={event => void submit(event)}>
          <Stack>
            {farewell && !problem && <Alert color="accent">{t(`signIn.${farewell}`)}</Alert>}
            {problem && (
              <Alert color="red" role="alert">
                {problem}
              </Alert>
            )}
            <TextInput name="username" label={t('signIn.username')} autoComplete="username" required autoFocus maxLength={100} />
            <PasswordInput
              name="password"
              label={t('signIn.password')}
              autoComplete="current-password"
              required
              visibilityToggleButtonProps={{ 'aria-label': t('signIn.showPassword') }}
            />
            <Button type="submit" loading={isAsking} fullWidth>
              {t('signIn.submit')}
            </Button>
          </Stack>
        </form>
      </Paper>
      <Preferences />
    </main>
  );
}
