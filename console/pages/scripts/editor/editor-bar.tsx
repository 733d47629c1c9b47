import { useQuery } from '@apollo/client/react';
import { Alert, Button, Group } from '@mantine/core';
import { IconArrowBackUp, IconArrowForwardUp, IconCheck, IconCloudUpload, IconPhone } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { isRefusal } from '../../../api/refusal.ts';
import { useCommands } from '../../../form/use-commands.ts';
import { formatDateTime } from '../../../text/format.ts';
import { ActButton } from '../../../ui/act-button.tsx';
import { ConfirmButton } from '../../../ui/confirm-button.tsx';
import { IconAct } from '../../../ui/icon-act.tsx';
import { PageHeading } from '../../../ui/page-heading.tsx';
import type { ScriptHeadFragment } from '../script.generated.ts';
import { DiscardDraftDocument, TestCampaignDocument } from './editor.generated.ts';
import styles from './editor.module.css';
import { PublishButton } from './publish-button.tsx';
import type { Draft } from './use-draft.ts';

interface EditorBarProps {
  id: string;
  head: ScriptHeadFragment;
  draft: Draft;
  /** Goes to the script's page. */
  leave: () => void;
}

/** The script's name, whether it is saved, and what may be done with the draft. */
export function EditorBar({ id, head, draft, leave }: EditorBarProps) {
  const { t } = useTranslation();
  const { run } = useCommands();
  const { undo, redo, faults, revision, state } = draft;
  const isBlocked = faults.some(({ isBlocking }) => isBlocking);
  const hasDraft = revision > 0 || state !== 'saved';

  async function discard(): Promise<string | null> {
    const at = await draft.ready();
    const result = await run(DiscardDraftDocument, { id, revision: at ?? 0 });
    if (isRefusal(result)) return result.message;
    leave();
    return null;
  }

  return (
    <>
      <div className={styles.bar}>
        <PageHeading size="h2">
          <Link to={`/scripts/${id}`}>{head.name}</Link>
        </PageHeading>
        <SaveState draft={draft} />
        <Group gap={4}>
          <HistoryAct name="undo" keys="Control+Z" act={undo} icon={<IconArrowBackUp size={18} aria-hidden />} />
          <HistoryAct name="redo" keys="Control+Shift+Z" act={redo} icon={<IconArrowForwardUp size={18} aria-hidden />} />
        </Group>
        <Group gap={8} className={styles.push}>
          <TestCall businessCode={head.businessCode} />
          {hasDraft && (
            <ConfirmButton variant="default" title={t('scriptEditor.discardTitle')} warning={t('scriptEditor.discardLoses')} act={discard}>
              {t('scriptEditor.discard')}
            </ConfirmButton>
          )}
          <PublishButton
            id={id}
            head={head}
            canPublishOnly={hasDraft}
            reason={isBlocked ? t('scriptEditor.isBlocked') : hasDraft || !head.isEnabled ? null : t('scriptEditor.nothingNew')}
            ready={draft.ready}
            done={leave}
          />
        </Group>
      </div>
      <Conflict draft={draft} />
    </>
  );
}

function SaveState({ draft: { state, message, revision } }: { draft: Draft }) {
  const { t } = useTranslation();
  const isSaved = state === 'saved';
  return (
    <span className={state === 'failed' || state === 'conflict' ? 'tone-failed' : 'quiet'} role="status">
      {isSaved ? <IconCheck size={14} aria-hidden /> : <IconCloudUpload size={14} aria-hidden />}{' '}
      {isSaved && revision === 0 ? t('scriptEditor.asInForce') : t(`scriptEditor.state.${state}`)}
      {message && ` ${message}`}
    </span>
  );
}

interface HistoryActProps {
  name: 'undo' | 'redo';
  keys: string;
  /** Null when there is no such step. */
  act: (() => void) | null;
  icon: React.ReactNode;
}

function HistoryAct({ name, keys, act, icon }: HistoryActProps) {
  const { t } = useTranslation();
  return (
    <IconAct
      label={t(`scriptEditor.${name}`)}
      keys={keys}
      size={34}
      reason={act ? null : t(`scriptEditor.none.${name}`)}
      act={() => act?.()}
    >
      {icon}
    </IconAct>
  );
}

/** A call to one's own phone with the version in force: it needs a campaign of the script's business. */
function TestCall({ businessCode }: { businessCode: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { data } = useQuery(TestCampaignDocument, { variables: { businessCode } });
  const campaign = data?.campaigns?.nodes[0];
  return (
    <ActButton
      variant="default"
      leftSection={<IconPhone size={16} aria-hidden />}
      reason={campaign ? null : t('scriptEditor.noCampaign')}
      act={() => campaign && void navigate(`/campaigns/${campaign.databaseId}?test=any`)}
    >
      {t('scriptEditor.testCall')}
    </ActButton>
  );
}

/** After a save by another user, this asks which draft counts. */
function Conflict({ draft: { theirs, takeTheirs, keepMine } }: { draft: Draft }) {
  const { t } = useTranslation();
  if (theirs === null) return null;
  const { draft } = theirs;
  return (
    <Alert color="red" role="alert" mb="xs" title={t('scriptEditor.conflict')}>
      {draft
        ? t('scriptEditor.conflictBy', { name: draft.updatedBy?.displayName ?? '–', at: formatDateTime(draft.updatedAt) })
        : t('scriptEditor.conflictGone')}
      <Group gap={8} mt={6}>
        <Button size="compact-sm" variant="default" onClick={takeTheirs}>
          {t('scriptEditor.takeTheirs')}
        </Button>
        <Button size="compact-sm" color="red" onClick={keepMine}>
          {t('scriptEditor.keepMine')}
        </Button>
      </Group>
    </Alert>
  );
}
