import { Button, Code, Stack, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useRouteError } from 'react-router';

/** A page crashed: what that means, and what the user can do. */
export function Fault() {
  const { t } = useTranslation();
  const error = useRouteError();
  return (
    <Stack align="flex-start" p="xl" role="alert">
      <Title order={1}>{t('fault.title')}</Title>
      <Text className="quiet">{t('fault.text')}</Text>
      <Code block>{error instanceof Error ? error.message : String(error)}</Code>
      <Button onClick={() => location.reload()}>{t('fault.reload')}</Button>
    </Stack>
  );
}
