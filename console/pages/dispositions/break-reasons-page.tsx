import { useQuery } from '@apollo/client/react';
import { Checkbox, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Form } from '../../form/form.tsx';
import { useCommands } from '../../form/use-commands.ts';
import { useForm } from '../../form/use-form.ts';
import { ActButton } from '../../ui/act-button.tsx';
import { IconAct } from '../../ui/icon-act.tsx';
import { Notice } from '../../ui/notice.tsx';
import { sayDone } from '../../ui/toast.ts';
import { useDisabledReason } from '../../ui/use-disabled-reason.ts';
import { BreakReasonsDocument, type BreakReasonsQuery, SetBreakReasonsDocument } from './dispositions.generated.ts';
import { moved } from './setting-values.ts';

type Known = NonNullable<BreakReasonsQuery['breakReasons']>;
type Reason = Omit<Known['reasons'][number], '__typename'>;

const MAX_ROWS = 50;

/** The reasons for which agents may be busy. */
export function BreakReasonsPage() {
  const { data, error, refetch } = useQuery(BreakReasonsDocument);
  if (!data?.breakReasons) return error ? <Notice error={error} /> : <Skeleton height={240} />;
  return <Reasons key={data.breakReasons.version} known={data.breakReasons} changed={() => void refetch()} />;
}

function Reasons({ known, changed }: { known: Known; changed: () => void }) {
  const { t } = useTranslation();
  const { run } = useCommands();
  const form = useForm({
    initial: { reasons: known.reasons.map(({ code, label, isEnabled }): Reason => ({ code, label, isEnabled })) },
    send: ({ reasons }) =>
      run(SetBreakReasonsDocument, {
        input: { version: known.version, reasons },
      }),
    done: () => {
      sayDone(t('breakReasons.saved'));
      changed();
    },
  });
  const { reasons } = form.values;
  const change = (next: Reason[]) => form.set({ reasons: next });
  return (
    <>
      <Text mb="sm">{t('breakReasons.about')}</Text>
      <Form form={form} action={t('breakReasons.save')} disabledReason={useDisabledReason('agent:write')}>
        <Stack gap="xs" maw={720}>
          {reasons.map((reason, place) => (
            // A row has no identity but its place: its code is being typed.
            // oxlint-disable-next-line react/no-array-index-key
            <ReasonRow key={place} {...{ reason, place, reasons, change }} />
          ))}
          {form.errorOf('reasons') !== undefined && <Text c="red">{form.errorOf('reasons')}</Text>}
          <Group>
            <ActButton
              size="xs"
              variant="default"
              reason={reasons.length < MAX_ROWS ? null : t('rowActs.isFull', { count: MAX_ROWS })}
              act={() => change([...reasons, { code: `r${reasons.length + 1}`, label: '', isEnabled: true }])}
            >
              {t('breakReasons.add')}
            </ActButton>
          </Group>
        </Stack>
      </Form>
    </>
  );
}

interface RowProps {
  reason: Reason;
  place: number;
  reasons: Reason[];
  change: (reasons: Reason[]) => void;
}

function ReasonRow({ reason, place, reasons, change }: RowProps) {
  const { t } = useTranslation();
  const put = (part: Partial<Reason>) => change(reasons.map((row, index) => (index === place ? { ...row, ...part } : row)));
  const name = reason.label || reason.code;
  const named = (label: string) => t('dispositions.cell', { name: t(label), row: name });
  return (
    <Group gap="xs">
      <TextInput
        aria-label={named('dispositions.column.label')}
        required
        maxLength={64}
        flex="2 1 120px"
        value={reason.label}
        onChange={event => put({ label: event.currentTarget.value })}
      />
      <TextInput
        aria-label={named('dispositions.column.code')}
        required
        maxLength={32}
        flex="1 1 96px"
        value={reason.code}
        onChange={event => put({ code: event.currentTarget.value })}
      />
      <Checkbox
        label={t('dispositions.column.isEnabled')}
        aria-label={named('dispositions.column.isEnabled')}
        checked={reason.isEnabled}
        onChange={event => put({ isEnabled: event.currentTarget.checked })}
      />
      <IconAct
        label={t('dispositions.up', { name })}
        reason={place > 0 ? null : t('rowActs.isFirst')}
        act={() => change(moved(reasons, place, -1))}
      >
        <IconArrowUp size={16} />
      </IconAct>
      <IconAct
        label={t('dispositions.down', { name })}
        reason={place < reasons.length - 1 ? null : t('rowActs.isLast')}
        act={() => change(moved(reasons, place, 1))}
      >
        <IconArrowDown size={16} />
      </IconAct>
      <IconAct label={t('dispositions.remove', { name })} act={() => change(reasons.filter((_, index) => index !== place))}>
        <IconTrash size={16} />
      </IconAct>
    </Group>
  );
}
