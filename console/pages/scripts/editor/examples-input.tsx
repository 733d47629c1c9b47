import { Textarea } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

/** Bounds of the interface: examples of a branch, characters of one. Source: D13.9 */
const MAX_EXAMPLES = 200;
const MAX_CHARS = 200;

interface ExamplesInputProps {
  /** Name of the branch. */
  name: string;
  examples: readonly string[];
  change: (next: readonly string[]) => void;
}

/** What customers said who meant a branch, one a line; lines that are empty or repeated are left out when the field is left. */
export function ExamplesInput({ name, examples, change }: ExamplesInputProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed ?? examples.join('\n');
  const lines = linesOf(text);
  const tooLong = lines.find(line => line.length > MAX_CHARS);
  const error =
    tooLong === undefined
      ? lines.length > MAX_EXAMPLES && t('scriptEditor.tooManyExamples', { max: MAX_EXAMPLES })
      : t('scriptEditor.exampleTooLong', { start: tooLong.slice(0, 12), max: MAX_CHARS });
  return (
    <Textarea
      mt={4}
      aria-label={t('scriptEditor.examplesOf', { key: name })}
      placeholder={t('scriptEditor.examples')}
      description={examples.length === 0 ? undefined : t('scriptEditor.exampleCount', { count: examples.length })}
      inputWrapperOrder={['input', 'error', 'description']}
      autosize
      maxRows={8}
      value={text}
      error={error || undefined}
      onChange={event => {
        setTyped(event.currentTarget.value);
        const next = linesOf(event.currentTarget.value);
        if (next.length <= MAX_EXAMPLES && next.every(line => line.length <= MAX_CHARS)) change(next);
      }}
      onBlur={() => error || setTyped(null)}
    />
  );
}

function linesOf(text: string): string[] {
  return [
    ...new Set(
      text
        .split('\n')
        .map(line => line.trim())
        .filter(line => line !== ''),
    ),
  ];
}
