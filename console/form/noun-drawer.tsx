import { Alert, Group, Skeleton, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useMe } from '../api/me.ts';
import { isRefusal } from '../api/refusal.ts';
import { ActButton } from '../ui/act-button.tsx';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { SideDrawer } from '../ui/side-drawer.tsx';
import { sayDone } from '../ui/toast.ts';
import { useDisabledReason } from '../ui/use-disabled-reason.ts';
import type { Answer, Noun, NounRow } from './noun.ts';
import { NounForm } from './noun-form.tsx';

interface NounDrawerProps<Row extends NounRow, Values extends object> {
  noun: Noun<Row, Values>;
  /** From the URL: '' closed, `new`, or a row id. */
  open: string;
  /** Undefined while loading; null when there is no such row. */
  row: Row | null | undefined;
  close: () => void;
}

/** One row beside its list: its facts, its actions and its form. */
export function NounDrawer<Row extends NounRow, Values extends object>({ noun, open, row, close }: NounDrawerProps<Row, Values>) {
  const { t } = useTranslation();
  const isNew = open === 'new';
  return (
    <SideDrawer
      isOpen={open !== ''}
      close={close}
      size="lg"
      title={isNew ? t(`${noun.text}.make`) : row ? noun.nameOf(row) : t(`${noun.text}.one`)}
    >
      {isNew && <NounForm noun={noun} row={null} close={close} />}
      {!isNew && row === undefined && <Skeleton height={240} />}
      {!isNew && row === null && <Text>{t('noun.gone')}</Text>}
      {!isNew && row && (
        <>
          <Acts noun={noun} row={row} close={close} />
          {noun.facts?.(row)}
          <NounForm key={row.id} noun={noun} row={row} close={close} />
          {noun.more?.(row)}
        </>
      )}
    </SideDrawer>
  );
}

interface ActsProps<Row extends NounRow, Values extends object> {
  noun: Noun<Row, Values>;
  row: Row;
  close: () => void;
}

function Acts<Row extends NounRow, Values extends object>({ noun, row, close }: ActsProps<Row, Values>) {
  const { t } = useTranslation();
  const { may } = useMe();
  const [refusal, setRefusal] = useState<string | null>(null);
  const denied = useDisabledReason(noun.needs);
  const reason = denied ?? noun.locked?.(row) ?? null;
  const name = noun.nameOf(row);
  const { remove: takeAway } = noun;

  async function remove(take: NonNullable<typeof takeAway>): Promise<string | null> {
    const inTheWay = messageOf(await take(row));
    if (inTheWay !== null) return inTheWay;
    sayDone(t(`${noun.text}.deleted`, { name }));
    close();
    await noun.listChanged();
    return null;
  }

  return (
    <>
      <Group gap="sm" mb="md">
        {noun.power && <Power noun={noun} power={noun.power} row={row} reason={reason} refused={setRefusal} />}
        {takeAway && (
          <ConfirmButton
            variant="default"
            act={() => remove(takeAway)}
            reason={reason}
            title={t(`${noun.text}.deleteAsks`, { name })}
            warning={t(`${noun.text}.deleteLoses`)}
          >
            {t('noun.delete')}
          </ConfirmButton>
        )}
        {may('audit:read') && <Link to={`/audit?type=${noun.auditedAs}&id=${row.databaseId}`}>{t('noun.history')}</Link>}
      </Group>
      {refusal && (
        <Alert color="red" role="alert" mb="md" withCloseButton closeButtonLabel={t('drawer.close')} onClose={() => setRefusal(null)}>
          {refusal}
        </Alert>
      )}
    </>
  );
}

interface PowerProps<Row extends NounRow, Values extends object> {
  noun: Noun<Row, Values>;
  power: NonNullable<Noun<Row, Values>['power']>;
  row: Row;
  reason: string | null;
  refused: (message: string | null) => void;
}

/** Enables or disables a row; asks for confirmation where disabling has a consequence. */
function Power<Row extends NounRow, Values extends object>({ noun, power, row, reason, refused }: PowerProps<Row, Values>) {
  const { t } = useTranslation();
  const [isBusy, setBusy] = useState(false);
  const isEnabled = power.isEnabled(row);
  const name = noun.nameOf(row);

  async function set(): Promise<string | null> {
    const inTheWay = messageOf(await power.set(row, !isEnabled));
    if (inTheWay === null) sayDone(t(isEnabled ? 'noun.disabledOne' : 'noun.enabledOne', { name }));
    return inTheWay;
  }
  async function press(): Promise<void> {
    setBusy(true);
    refused(await set().catch((error: Error) => error.message));
    setBusy(false);
  }

  const words = t(isEnabled ? 'noun.disable' : 'noun.enable');
  if (isEnabled && power.warning)
    return (
      <ConfirmButton variant="default" act={set} reason={reason} title={t('noun.disableAsks', { name })} warning={t(power.warning)}>
        {words}
      </ConfirmButton>
    );
  return (
    <ActButton variant="default" act={() => void press()} reason={reason} loading={isBusy}>
      {words}
    </ActButton>
  );
}

function messageOf(answer: Answer): string | null {
  return isRefusal(answer) ? (answer as { message: string }).message : null;
}
