import { TextInput } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActButton } from '../../ui/act-button.tsx';
import { useAct } from '../../ui/use-act.ts';
import { HintCallDocument, SayInCallDocument } from './acts.generated.ts';
import styles from './live.module.css';
import type { Explain } from './use-explained.ts';

type Kind = 'HINT' | 'SAY';

/** Same bound as the argument of `hintLiveCall`. */
const MAX_TEXT = 500;
const MUTATIONS = { HINT: HintCallDocument, SAY: SayInCallDocument } as const;
/** Shortcut keys. */
const KEYS = { HINT: 'H', SAY: 'Y' } as const;

interface GuideActsProps {
  callKey: string;
  /** Why the action is disabled; null when it is allowed. */
  reasonOf: (name: Kind) => string | null;
  /** Called with the reason when a disabled button is pressed. */
  explain: Explain;
}

/** A hint to the bot, or words that it says: a key opens the field, Enter sends, Esc closes. */
export function GuideActs({ callKey, reasonOf, explain }: GuideActsProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState<Kind | null>(null);
  const kind = open !== null && reasonOf(open) === null ? open : null;
  return (
    <>
      {(['HINT', 'SAY'] as const).map(name => (
        <ActButton
          key={name}
          size="compact-sm"
          variant={kind === name ? 'filled' : 'default'}
          color="violet"
          reason={reasonOf(name)}
          explain={explain}
          shortcut={KEYS[name]}
          isPressed={kind === name}
          act={() => setOpen(kind === name ? null : name)}
        >
          {t(`callAct.${name}`)}
        </ActButton>
      ))}
      {kind && <GuideField key={kind} callKey={callKey} kind={kind} close={() => setOpen(null)} />}
    </>
  );
}

function GuideField({ callKey, kind, close }: { callKey: string; kind: Kind; close: () => void }) {
  const { t } = useTranslation();
  const { run, isBusy, refused } = useAct();
  const [text, setText] = useState('');
  // A repeated request, after a lost answer, must not be carried out twice.
  const [guidanceId, setGuidanceId] = useState(() => crypto.randomUUID());
  const send = async () => {
    if (isBusy || text.trim() === '') return;
    if (!(await run(MUTATIONS[kind], { callKey, text: text.trim(), guidanceId }, t(`acts.done.${kind}`)))) return;
    setText('');
    setGuidanceId(crypto.randomUUID());
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      // Esc closes only the field, not the call behind it.
      event.preventDefault();
      close();
    }
    if (event.key === 'Enter' && !event.nativeEvent.isComposing) void send();
  };
  return (
    <TextInput
      className={styles.guideField}
      label={t(`guide.field.${kind}`)}
      placeholder={t(`guide.example.${kind}`)}
      description={t('guide.keys')}
      maxLength={MAX_TEXT}
      value={text}
      error={refused}
      autoComplete="off"
      data-autofocus
      autoFocus
      aria-busy={isBusy}
      onChange={event => setText(event.currentTarget.value)}
      onKeyDown={onKey}
    />
  );
}
