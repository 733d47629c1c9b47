import { type Container, containerBootstrap } from '@nlpjs/core';
import { LangZh } from '@nlpjs/lang-zh';
import { Nlp } from '@nlpjs/nlp';
import type { Branch } from '#contract/nlu/decision.ts';

/** nlp.js trained on the descriptions of one set of branches: what a caller could do with it. */
export async function trainNlpjs(branches: readonly Branch[]): Promise<(text: string) => Promise<string>> {
  const container: Container = await containerBootstrap();
  container.use(LangZh);
  const nlp = new Nlp({ container, languages: ['zh'], autoSave: false, log: false, nlu: { log: false } });
  nlp.addLanguage('zh');
  for (const { key, desc } of branches) nlp.addDocument('zh', desc, key);
  await nlp.train();
  return async text => (await nlp.process('zh', text)).intent;
}
