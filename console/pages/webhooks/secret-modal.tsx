import { Button, Code, CopyButton, Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../ui/dialog.tsx';

/** Shows a new secret; the server never returns it again. */
export function SecretModal({ secret, close }: { secret: string | null; close: () => void }) {
  const { t } = useTranslation();
  return (
    <Dialog isOpen={secret !== null} close={close} title={t('webhooks.secretTitle')}>
      <Text mb="sm">{t('webhooks.secretOnce')}</Text>
      <Code block>{secret}</Code>
      <Group justify="flex-end" mt="lg" gap="sm">
        <CopyButton value={secret ?? ''}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy}>
              {t(copied ? 'webhooks.copied' : 'webhooks.copy')}
            </Button>
          )}
        </CopyButton>
        <Button onClick={close}>{t('webhooks.secretKept')}</Button>
      </Group>
    </Dialog>
  );
}
