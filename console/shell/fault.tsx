import { Button, Code, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useRouteError } from 'react-router';
import { PageHeading } from '../ui/page-heading.tsx';

/** A page crashed: what that means, and what the user can do. */
export function Fault() {
  const { t } = useTranslation();
  const error = useRouteError();
  return (
    <Stack align="flex-start" p="xl" role="alert">
      <PageHeading>{t('fault.title')}</PageHeading>
      <Text className="quiet">{t('fault.text')}</Text>
      <Code block>{error instanceof Error ? error.message : String(error)}</Code>
      <Button onClick={() => location.reload()}>{t('fault.reload')}</Button>
    </Stack>
  );
}
