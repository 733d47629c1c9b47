import { Group, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { isRefusal } from '../../api/refusal.ts';
import { Form } from '../../form/form.tsx';
import { useCommands } from '../../form/use-commands.ts';
import { useForm } from '../../form/use-form.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { sayDone } from '../../ui/toast.ts';
import { DeleteFollowUpListDocument, type FollowUpRowFragment, UpdateFollowUpListDocument } from './follow-ups.generated.ts';
import { ShareSwitch } from './save-list.tsx';

interface ModalProps {
  /** Null when closed. */
  list: FollowUpRowFragment | null;
  close: () => void;
  changed: () => void;
}

/** Renames, shares or deletes a follow-up list. */
export function EditModal({ list, close, changed }: ModalProps) {
  return (
    <Dialog isOpen={list !== null} close={close} title={list?.name}>
      {list && <EditForm key={list.id} list={list} close={close} changed={changed} />}
    </Dialog>
  );
}

function EditForm({ list, close, changed }: ModalProps & { list: FollowUpRowFragment }) {
  const { t } = useTranslation();
  const { run } = useCommands();
  const over = (message: string) => {
    sayDone(message);
    close();
    changed();
  };
  const form = useForm({
    initial: { name: list.name, isShared: list.isShared },
    send: ({ name, isShared }) => run(UpdateFollowUpListDocument, { id: list.databaseId, input: { name: name.trim(), isShared } }),
    done: () => over(t('followUps.changed')),
  });
  async function remove(): Promise<string | null> {
    const result = await run(DeleteFollowUpListDocument, { id: list.databaseId });
    if (isRefusal(result)) return result.message;
    over(t('followUps.deleted', { name: list.name }));
    return null;
  }
  return (
    <>
      <Form form={form} action={t('followUps.change')} cancel={close}>
        <TextInput
          label={t('followUps.name')}
          required
          maxLength={64}
          data-autofocus
          value={form.values.name}
          error={form.errorOf('name')}
          onChange={event => form.set({ name: event.currentTarget.value })}
        />
        <ShareSwitch isShared={form.values.isShared} set={isShared => form.set({ isShared })} />
      </Form>
      <Group mt="md">
        <ConfirmButton
          variant="subtle"
          color="red"
          size="xs"
          title={t('followUps.deleteAsk', { name: list.name })}
          warning={t('followUps.deleteAbout')}
          act={remove}
        >
          {t('followUps.delete')}
        </ConfirmButton>
      </Group>
    </>
  );
}
