import { createRequire } from 'node:module';
import type { Branch } from '#protocol/nlu.ts';

interface Container {
  use(plugin: unknown): void;
}

interface Nlp {
  addLanguage(language: string): void;
  addDocument(language: string, utterance: string, intent: string): void;
  train(): Promise<void>;
  process(language: string, utterance: string): Promise<{ intent: string; score: number }>;
}

// The package ships no types: these are the parts that the bench calls.
const load = createRequire(import.meta.url);
const { containerBootstrap } = load('@nlpjs/core') as { containerBootstrap: () => Promise<Container> };
const { LangZh } = load('@nlpjs/lang-zh') as { LangZh: unknown };
const { Nlp: NlpClass } = load('@nlpjs/nlp') as { Nlp: new (settings: object) => Nlp };

/** nlp.js trained on the descriptions of one set of branches, as a user of the library would do it. */
export async function trainNlpjs(branches: readonly Branch[]): Promise<(text: string) => Promise<string>> {
  const container = await containerBootstrap();
  container.use(LangZh);
  const nlp = new NlpClass({ container, languages: ['zh'], autoSave: false, log: false, nlu: { log: false } });
  nlp.addLanguage('zh');
  for (const { key, desc } of branches) nlp.addDocument('zh', desc, key);
  await nlp.train();
  return async text => (await nlp.process('zh', text)).intent;
}
