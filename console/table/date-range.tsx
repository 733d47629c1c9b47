import { Button, Group, Popover, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { businessZone } from '../text/business-zone.ts';
import { dayIn, daysOf, type InstantRange, instantsOf, type Preset, type TypedRange } from '../text/date-range.ts';
import { formatTypedDay } from '../text/format.ts';
import { useNow } from '../ui/use-now.ts';
import { useQueryState } from '../ui/use-query-state.ts';
import styles from './date-range.module.css';

/** Query parameters of a range. */
export const RANGE_NAMES = ['span', 'from', 'to'];

const PAST: readonly Preset[] = ['today', 'yesterday', 'week', 'month', 'thisMonth', 'all'];
/** How often the clock is read, in ms: presets move on at midnight. */
const LOOK_MS = 30_000;

interface RangeOptions {
  /** Range of a URL without parameters. */
  usual?: Preset;
  /** Offered presets. */
  presets?: readonly Preset[];
}

interface Range {
  /** Null when the bounds were typed. */
  preset: Preset | null;
  typed: TypedRange;
  zone: string;
  setPreset: (preset: Preset) => void;
  setTyped: (typed: TypedRange) => void;
}

/** The range in the URL, in the business time zone. */
function useRange({ usual = 'all', presets = PAST }: RangeOptions): Range {
  const [span, setSpan] = useQueryState('span');
  const [from, setFrom] = useQueryState('from');
  const [to, setTo] = useQueryState('to');
  const now = useNow(LOOK_MS);
  const zone = businessZone();
  const isTyped = from !== '' || to !== '';
  const preset = presets.find(each => each === span) ?? usual;
  const write = (next: { span: string; from: string; to: string }) => {
    setSpan(next.span);
    setFrom(next.from);
    setTo(next.to);
  };
  return {
    preset: isTyped ? null : preset,
    typed: isTyped ? { from, to } : daysOf(preset, dayIn(zone, now)),
    zone,
    setPreset: chosen => write({ span: chosen === usual ? '' : chosen, from: '', to: '' }),
    setTyped: typed => write({ span: typed.from || typed.to ? '' : 'all', ...typed }),
  };
}

/** Instants of the range in the URL. */
export function useDateRange(options: RangeOptions = {}): InstantRange {
  const { typed, zone } = useRange(options);
  return instantsOf(typed, zone);
}

/** The preset in the URL; null when the bounds were typed. */
export function usePreset(options: RangeOptions = {}): Preset | null {
  return useRange(options).preset;
}

/** Chooses a range of days in the business time zone: one of the presets, or a first and a last day, each with a time of day if need be. */
export function DateRange(options: RangeOptions) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const range = useRange(options);
  const { preset, typed } = range;
  const typedLabel = ({ from, to }: TypedRange) =>
    from === to ? wordsOf(from) : t('dateRange.typed', { from: wordsOf(from), to: wordsOf(to) });
  const label = preset === null ? typedLabel(typed) : t(`dateRange.${preset}`);
  return (
    <Popover position="bottom-start" trapFocus opened={isOpen} onChange={setOpen}>
      <Popover.Target>
        <Button
          variant="default"
          fw={400}
          aria-label={t('dateRange.label', { range: label })}
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          rightSection={<span aria-hidden>▾</span>}
          onClick={() => setOpen(!isOpen)}
        >
          {label}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('dateRange.title')} className={styles.panel ?? ''}>
        <Presets range={range} presets={options.presets ?? PAST} close={() => setOpen(false)} />
        <div className={styles.fields}>
          <Bound label={t('dateRange.from')} value={typed.from} set={from => range.setTyped({ ...typed, from })} />
          <Bound label={t('dateRange.to')} value={typed.to} set={to => range.setTyped({ ...typed, to })} />
          {isBackwards(typed) && (
            <Text role="alert" size="sm" className="tone-failed">
              {t('dateRange.backwards')}
            </Text>
          )}
          <Text size="sm" className="quiet">
            {t('dateRange.zone', { zone: range.zone })}
          </Text>
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}

function wordsOf(typed: string): string {
  return typed === '' ? '…' : formatTypedDay(typed);
}

/** A day without a time of day stands for all of it, which the shorter text also says to a comparison. */
function isBackwards({ from, to }: TypedRange): boolean {
  return from !== '' && to !== '' && from.slice(0, to.length) > to;
}

function Presets({ range, presets, close }: { range: Range; presets: readonly Preset[]; close: () => void }) {
  const { t } = useTranslation();
  return (
    <div className={styles.presets} role="group" aria-label={t('dateRange.presets')}>
      {presets.map(preset => (
        <Button
          key={preset}
          size="compact-sm"
          variant={preset === range.preset ? 'light' : 'subtle'}
          justify="start"
          aria-pressed={preset === range.preset}
          onClick={() => {
            range.setPreset(preset);
            close();
          }}
        >
          {t(`dateRange.${preset}`)}
        </Button>
      ))}
    </div>
  );
}

interface BoundProps {
  label: string;
  /** `2026-12-01` or `2026-12-01T09:00`; empty for none. */
  value: string;
  set: (value: string) => void;
}

function Bound({ label, value, set }: BoundProps) {
  const { t } = useTranslation();
  const [day = '', time = ''] = value.split('T');
  const write = (nextDay: string, nextTime: string) => set(nextDay && nextTime ? `${nextDay}T${nextTime}` : nextDay);
  return (
    <Group gap="xs" align="end" wrap="nowrap">
      <TextInput type="date" w={150} label={label} value={day} onChange={event => write(event.currentTarget.value, time)} />
      <TextInput
        type="time"
        w={110}
        aria-label={t('dateRange.time', { bound: label })}
        disabled={day === ''}
        value={time}
        onChange={event => write(day, event.currentTarget.value)}
      />
    </Group>
  );
}
