import { Alert, Button, type ButtonProps, Group, Modal, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActButton } from './act-button.tsx';

interface ConfirmButtonProps extends Pick<ButtonProps, 'variant' | 'color' | 'size' | 'leftSection'> {
  /** Runs the act; resolves to what stands in its way, or to null when it was done. */
  act: () => Promise<string | null>;
  reason?: string | null | undefined;
  /** What the question is: "Delete the line Shanghai 1?" */
  title: string;
  /** What is lost, and what is not. */
  loses: ReactNode;
  /** On the button and on its confirmation: what it does, in words. */
  children: string;
}

/** An act that takes something away: it names what is lost and asks for it. */
export function ConfirmButton({ act, reason, title, loses, children, ...look }: ConfirmButtonProps) {
  const { t } = useTranslation();
  const [isAsked, setAsked] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);

  async function confirm(): Promise<void> {
    setBusy(true);
    const inTheWay = await act().catch((error: Error) => error.message);
    setBusy(false);
    setRefused(inTheWay);
    if (inTheWay === null) setAsked(false);
  }

  function ask(): void {
    setRefused(null);
    setAsked(true);
  }

  return (
    <>
      <ActButton {...look} act={ask} reason={reason}>
        {children}
      </ActButton>
      <Modal
        opened={isAsked}
        onClose={() => setAsked(false)}
        title={title}
        lockScroll={false}
        centered
        closeButtonProps={{ 'aria-label': t('drawer.close') }}
      >
        <Text>{loses}</Text>
        {refused && (
          <Alert color="red" role="alert" mt="sm">
            {refused}
          </Alert>
        )}
        <Group justify="flex-end" mt="lg" gap="sm">
          <Button variant="default" data-autofocus onClick={() => setAsked(false)}>
            {t('form.cancel')}
          </Button>
          <Button color="red" loading={isBusy} onClick={() => void confirm()}>
            {children}
          </Button>
        </Group>
      </Modal>
    </>
  );
}
