import { Alert, Button, Checkbox, Group, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isRefusal } from '../../api/refusal.ts';
import { useCommands } from '../../form/use-commands.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { sayDone } from '../../ui/toast.ts';
import { useDisabledReason } from '../../ui/use-disabled-reason.ts';
import { SaveReportDocument } from './reports.generated.ts';

const MAX_NAME_LENGTH = 64;

interface SaveProps {
  /** The address of the question, without its path. */
  question: string;
  done: () => void;
}

/** Keeps the question of the page by a name, for the user alone or for everybody. */
export function SaveButton(props: SaveProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="subtle" size="compact-md" onClick={() => setOpen(true)}>
        {t('reports.save')}
      </Button>
      <Dialog isOpen={isOpen} close={() => setOpen(false)} title={t('reports.saveTitle')}>
        <SaveForm {...props} close={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

function SaveForm({ question, done, close }: SaveProps & { close: () => void }) {
  const { t } = useTranslation();
  const mayNotShare = useDisabledReason('campaign:dispatch');
  const [name, setName] = useState('');
  const [isShared, setShared] = useState(false);
  const { save, isBusy, refused } = useSave({ name: name.trim(), question, isShared }, () => {
    sayDone(t('reports.savedAs', { name: name.trim() }));
    close();
    done();
  });
  return (
    <form onSubmit={save}>
      <TextInput
        label={t('reports.name')}
        maxLength={MAX_NAME_LENGTH}
        data-autofocus
        value={name}
        onChange={event => setName(event.currentTarget.value)}
      />
      <Checkbox
        mt="sm"
        label={t('reports.share')}
        description={mayNotShare}
        disabled={mayNotShare !== null}
        checked={isShared}
        onChange={event => setShared(event.currentTarget.checked)}
      />
      {refused && (
        <Alert color="red" role="alert" mt="sm">
          {refused}
        </Alert>
      )}
      <Group justify="flex-end" mt="lg" gap="sm">
        <Button variant="default" onClick={close}>
          {t('form.cancel')}
        </Button>
        <Button type="submit" loading={isBusy} disabled={name.trim() === ''}>
          {t('noun.save')}
        </Button>
      </Group>
    </form>
  );
}

function useSave(input: { name: string; question: string; isShared: boolean }, done: () => void) {
  const { run } = useCommands();
  const [isBusy, setBusy] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const send = async () => {
    setBusy(true);
    try {
      const result = await run(SaveReportDocument, { input });
      if (isRefusal(result)) setRefused(result.message);
      else done();
    } catch (error) {
      setRefused(error instanceof Error ? error.message : String(error));
    } finally {
      setBusy(false);
    }
  };
  const save = (event: FormEvent) => {
    event.preventDefault();
    void send();
  };
  return { save, isBusy, refused };
}
