import { useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { addressOf, type Question, questionOf } from './question.ts';

interface Asked {
  question: Question;
  /** Writes the question into the address: whole, or what of it becomes different. */
  ask: (changes: Partial<Question>) => void;
}

/** The question in the address, which a colleague who gets the address is shown too. */
export function useQuestion(): Asked {
  const [query, setQuery] = useSearchParams();
  const text = query.toString();
  const question = useMemo(() => questionOf(new URLSearchParams(text)), [text]);
  return { question, ask: changes => setQuery(before => addressOf({ ...questionOf(before), ...changes }, before), { replace: true }) };
}
