import { Button, Code, CopyButton, Group, Modal, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** Shows a new secret; the server never returns it again. */
export function SecretModal({ secret, close }: { secret: string | null; close: () => void }) {
  const { t } = useTranslation();
  return (
    <Modal
      opened={secret !== null}
      onClose={close}
      title={t('webhooks.secretTitle')}
      lockScroll={false}
      centered
      closeButtonProps={{ 'aria-label': t('drawer.close') }}
    >
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
    </Modal>
  );
}
