import { Button, Group, Progress, Text } from '@mantine/core';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { useAct } from '../../ui/use-act.ts';
import { useNow } from '../../ui/use-now.ts';
import { ChangeWrapUpDocument, type WrappingAgentFragment } from './dispositions.generated.ts';

interface ClockProps {
  agent: WrappingAgentFragment;
  /** Called after a change. */
  changed: () => void;
}

/** How long an agent may still wrap up, with more time on request; a required one asks for the disposition when its time is over. */
export function WrapUpClock({ agent, changed }: ClockProps) {
  const { t } = useTranslation();
  const { run, isBusy, refused } = useAct();
  const now = useNow(1_000);
  const { wrapUp } = agent.activity;
  if (!wrapUp) return null;
  const act = async (step: 'EXTEND' | 'END') => {
    if (await run(ChangeWrapUpDocument, { id: agent.databaseId, step }, t(`dispositions.clock.done.${step}`))) changed();
  };
  return (
    <div>
      <Group justify="space-between" gap="sm">
        <Text role="timer" fw={600}>
          {textOf(wrapUp, now, t)}
        </Text>
        <Group gap="xs">
          {wrapUp.canExtend && (
            <Button size="compact-sm" variant="default" loading={isBusy} onClick={() => void act('EXTEND')}>
              {t('dispositions.clock.extend')}
            </Button>
          )}
          {!wrapUp.isRequired && (
            <Button size="compact-sm" variant="default" loading={isBusy} onClick={() => void act('END')}>
              {t('dispositions.clock.end')}
            </Button>
          )}
        </Group>
      </Group>
      <Progress value={shareLeft(wrapUp, now)} mt={6} aria-label={t('dispositions.clock.left')} />
      {refused !== null && <Text c="red">{refused}</Text>}
    </div>
  );
}

type WrapUp = NonNullable<WrappingAgentFragment['activity']['wrapUp']>;

function textOf({ endsAt, isRequired }: WrapUp, now: number, t: TFunction): string {
  const left = Math.max(0, Math.ceil((Date.parse(endsAt) - now) / 1_000));
  if (left === 0 && isRequired) return t('dispositions.clock.required');
  return t('dispositions.clock.seconds', { time: `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}` });
}

/** Share of the last minute that is left: the bar only shrinks when it begins to matter. */
function shareLeft({ endsAt }: WrapUp, now: number): number {
  return Math.max(0, Math.min(100, (Date.parse(endsAt) - now) / 600));
}
