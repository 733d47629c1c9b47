import { Code, Stack, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';

export function Forbidden({ permission }: { permission: string }) {
  const { t } = useTranslation();
  return (
    <Stack align="flex-start">
      <Title order={1}>{t('forbidden.title')}</Title>
      <Text className="quiet">
        {t('forbidden.text')} <Code>{permission}</Code>
      </Text>
    </Stack>
  );
}
