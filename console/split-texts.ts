import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

/** Sections of the texts that only pages beside the first ones use. */
const LATER = [
  'reports',
  'schedules',
  'steps',
  'agentDay',
  'recordingState',
  'import',
  'scriptEditor',
  'scriptNodeAbout',
  'scriptTemplate',
  'scriptTests',
  'scriptTrial',
  'outcomeRules',
  'lists',
  'webhooks',
  'campaignForm',
  'policyForm',
  'policyAbout',
  'rulePacks',
  'consents',
  'followUps',
  'exports',
  'holidays',
];

const ASKED = /^\.\/(zh|en)\.json(\?later)?$/;
const MADE = /^\0texts:(zh|en)(\?later)?$/;

/** Divides the texts of each language: what the first pages need, and `?later` what the others do. People wait for the first part alone. */
export function splitTexts(): Plugin {
  return {
    name: 'callout:split-texts',
    enforce: 'pre',
    resolveId(source) {
      const [, language, part = ''] = ASKED.exec(source) ?? [];
      return language === undefined ? null : `\0texts:${language}${part}`;
    },
    load(id) {
      const [, language, part] = MADE.exec(id) ?? [];
      if (language === undefined) return null;
      const file = join(import.meta.dirname, `text/${language}.json`);
      this.addWatchFile(file);
      const sections = Object.entries(JSON.parse(readFileSync(file, 'utf8')) as object);
      const wanted = sections.filter(([name]) => LATER.includes(name) === (part !== undefined));
      return { code: `export default ${JSON.stringify(Object.fromEntries(wanted))}`, moduleType: 'js' };
    },
  };
}
