import { Alert, Button, type ButtonProps, Group, Text, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActButton } from './act-button.tsx';
import { Dialog } from './dialog.tsx';

interface ConfirmButtonProps extends Pick<ButtonProps, 'variant' | 'color' | 'size' | 'leftSection'> {
  /** Runs the action with the user's input; resolves to the reason of a refusal, or to null. */
  act: (answer: string) => Promise<string | null>;
  reason?: string | null | undefined;
  /** The question, such as "Delete the line Shanghai 1?". */
  title: string;
  /** Consequences: data that are lost, and data that are kept. */
  warning: ReactNode;
  /** Optional input of the dialog; no input when absent. */
  input?: { label: string; example?: string; maxLength: number; isRequired?: boolean };
  /** Label of the button and of its confirmation: the action in words. */
  children: string;
}

/** A destructive action: its dialog names what is lost and asks for confirmation. */
export function ConfirmButton({ act, reason, title, warning, input, children, ...look }: ConfirmButtonProps) {
  const { t } = useTranslation();
  const [isAsked, setAsked] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const [answer, setAnswer] = useState('');

  async function confirm(): Promise<void> {
    setBusy(true);
    const inTheWay = await act(answer.trim()).catch((error: Error) => error.message);
    setBusy(false);
    setRefused(inTheWay);
    if (inTheWay === null) setAsked(false);
  }

  function ask(): void {
    setRefused(null);
    setAnswer('');
    setAsked(true);
  }

  return (
    <>
      <ActButton {...look} act={ask} reason={reason}>
        {children}
      </ActButton>
      <Dialog isOpen={isAsked} close={() => setAsked(false)} title={title}>
        <Text>{warning}</Text>
        {input && (
          <TextInput
            mt="sm"
            label={input.label}
            placeholder={input.example}
            maxLength={input.maxLength}
            required={input.isRequired === true}
            value={answer}
            onChange={event => setAnswer(event.currentTarget.value)}
          />
        )}
        {refused && (
          <Alert color="red" role="alert" mt="sm">
            {refused}
          </Alert>
        )}
        <Group justify="flex-end" mt="lg" gap="sm">
          <Button variant="default" data-autofocus onClick={() => setAsked(false)}>
            {t('form.cancel')}
          </Button>
          <ActButton
            color="red"
            loading={isBusy}
            reason={input?.isRequired === true && answer.trim() === '' ? t('form.required') : null}
            act={() => void confirm()}
          >
            {children}
          </ActButton>
        </Group>
      </Dialog>
    </>
  );
}
