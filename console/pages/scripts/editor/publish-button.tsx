import { Alert, Button, Group, Text, TextInput } from '@mantine/core';
import { IconRocket } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isRefusal } from '../../../api/refusal.ts';
import { useCommands } from '../../../form/use-commands.ts';
import { ActButton } from '../../../ui/act-button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { sayDone } from '../../../ui/toast.ts';
import { ActivateScriptDocument, type ScriptHeadFragment } from '../script.generated.ts';
import { TakeOverFacts, useTakeOver } from '../take-over-facts.tsx';
import { CheckUtterancesDocument, PublishScriptDocument } from './editor.generated.ts';
import type { UtteranceCheck } from './tests-panel.tsx';

interface PublishButtonProps {
  id: string;
  /** Its version is activated when there is no draft. */
  head: ScriptHeadFragment;
  /** Why it cannot be published; null when it can. */
  reason: string | null;
  /** Whether there is a draft, which may be published without being put in force. */
  canPublishOnly: boolean;
  /** Saves the draft; answers its revision, 0 without a draft, null when it could not. */
  ready: () => Promise<number | null>;
  done: () => void;
}

/** Puts the draft in force, with a reason; the kept utterances are asked for before, and what differs is shown first. */
export function PublishButton({ id, head, reason, canPublishOnly, ready, done }: PublishButtonProps) {
  const { t } = useTranslation();
  const { name, version, businessCode, isEnabled } = head;
  const { run, read } = useCommands();
  const [isAsked, setAsked] = useState(false);
  const [why, setWhy] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [checks, setChecks] = useState<readonly UtteranceCheck[] | null>(null);
  const [refused, setRefused] = useState<string | null>(null);
  const takeOver = useTakeOver(id, businessCode, isAsked);
  const lacksReason = takeOver?.isRunning === true && why.trim() === '';
  const failed = checks?.filter(({ isAsExpected }) => !isAsExpected) ?? [];

  async function ask(): Promise<void> {
    setAsked(true);
    setRefused(null);
    setChecks(null);
    if ((await ready()) !== null) setChecks((await read(CheckUtterancesDocument, { id }))?.checkScriptUtterances ?? []);
  }
  const send = (revision: number, activate: boolean) =>
    revision === 0
      ? run(ActivateScriptDocument, { id, version, reason: why.trim() })
      : run(PublishScriptDocument, { id, revision, reason: why.trim(), activate });
  async function publish(activate: boolean): Promise<void> {
    setBusy(true);
    const revision = await ready();
    const result = revision === null ? null : await send(revision, activate);
    setBusy(false);
    if (result?.__typename !== 'Script') return setRefused(isRefusal(result) ? result.message : t('scriptEditor.notSaved'));
    setAsked(false);
    sayDone(saidOf(result, activate));
    done();
  }

  const saidOf = (result: ScriptHeadFragment & { versions?: readonly { version: number }[] }, activate: boolean) => {
    if (activate) return t('script.activated', { name, version: result.version });
    const published = result.versions?.[0]?.version ?? result.version;
    return t(isEnabled ? 'takeOver.kept' : 'takeOver.published', { name, version: published, inForce: result.version });
  };

  return (
    <>
      <ActButton act={() => void ask()} reason={reason} leftSection={<IconRocket size={16} aria-hidden />}>
        {t('scriptEditor.publish')}
      </ActButton>
      <Dialog isOpen={isAsked} close={() => setAsked(false)} title={t('scriptEditor.publishTitle', { name })}>
        <TakeOverFacts takeOver={takeOver} />
        {checks === null && !refused && (
          <Text size="sm" className="quiet" mt="sm">
            {t('scriptTests.running')}
          </Text>
        )}
        {failed.length > 0 && (
          <Alert color="red" mt="sm" title={t('scriptTests.failed', { count: failed.length, all: checks?.length ?? 0 })}>
            {failed.slice(0, 5).map(({ utterance }) => (
              <div key={utterance.databaseId}>{utterance.text}</div>
            ))}
          </Alert>
        )}
        {checks !== null && checks.length > 0 && failed.length === 0 && (
          <Text size="sm" className="tone-answered" mt="sm">
            {t('scriptTests.passed', { count: checks.length })}
          </Text>
        )}
        <TextInput
          mt="sm"
          label={t('scriptEditor.reason')}
          placeholder={t('scriptEditor.reasonExample')}
          required={takeOver?.isRunning === true}
          description={lacksReason ? t('takeOver.needsReason') : undefined}
          maxLength={500}
          value={why}
          onChange={event => setWhy(event.currentTarget.value)}
        />
        {isEnabled && canPublishOnly && (
          <Text size="sm" className="quiet" mt="sm">
            {t('takeOver.onlyAbout', { version })}
          </Text>
        )}
        {refused && (
          <Alert color="red" role="alert" mt="sm">
            {refused}
          </Alert>
        )}
        <Group justify="flex-end" mt="lg" gap="sm">
          <Button variant="default" onClick={() => setAsked(false)}>
            {t('form.cancel')}
          </Button>
          {canPublishOnly && (
            <Button variant="default" loading={isBusy} onClick={() => void publish(false)}>
              {t('takeOver.only')}
            </Button>
          )}
          <Button
            color={failed.length > 0 || takeOver?.isRunning ? 'red' : undefined}
            loading={isBusy || takeOver === null || (checks === null && !refused)}
            disabled={lacksReason}
            onClick={() => void publish(true)}
          >
            {t(failed.length > 0 ? 'scriptEditor.publishAnyway' : 'scriptEditor.publish')}
          </Button>
        </Group>
      </Dialog>
    </>
  );
}
