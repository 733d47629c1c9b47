import { createInstance } from 'i18next';
import { initReactI18next } from 'react-i18next';

export const LANGUAGES = { zh: '中文', en: 'English' } as const;
export type Language = keyof typeof LANGUAGES;

const KEPT = 'callout.language';

export const i18next = createInstance();

/** Whether a page has asked for the texts beyond those of the first pages. */
let isWhole = false;
/** Fulfilled when texts can be added: the router asks for pages before. */
const started = Promise.withResolvers<void>();

/** Loads the texts of the language that was chosen before, else of the browser's. */
export async function startText(): Promise<void> {
  const language = preferred();
  await i18next.use(initReactI18next).init({
    lng: language,
    resources: { [language]: { translation: await wordsOf(language) } },
    interpolation: { escapeValue: false },
    returnNull: false,
    fallbackLng: false,
    parseMissingKeyHandler: noteMissing,
  });
  started.resolve();
  nameDocument(language);
}

/** Loads the texts that the first pages do without, in the language of now. */
export async function loadLaterText(): Promise<void> {
  isWhole = true;
  await addLater(i18next.isInitialized ? currentLanguage() : preferred());
}

async function addLater(language: Language): Promise<void> {
  const { default: words } = language === 'en' ? await import('./en.json?later') : await import('./zh.json?later');
  await started.promise;
  i18next.addResourceBundle(language, 'translation', words, true);
}

export async function chooseLanguage(language: Language): Promise<void> {
  i18next.addResourceBundle(language, 'translation', await wordsOf(language), true);
  if (isWhole) await addLater(language);
  await i18next.changeLanguage(language);
  localStorage.setItem(KEPT, language);
  nameDocument(language);
}

export function currentLanguage(): Language {
  return i18next.language === 'en' ? 'en' : 'zh';
}

function preferred(): Language {
  const kept = localStorage.getItem(KEPT);
  if (kept === 'zh' || kept === 'en') return kept;
  const known = navigator.languages.map(tag => tag.slice(0, 2).toLowerCase()).find(tag => tag === 'zh' || tag === 'en');
  return known === 'en' ? 'en' : 'zh';
}

async function wordsOf(language: Language): Promise<object> {
  return (language === 'en' ? await import('./en.json') : await import('./zh.json')).default;
}

/** Sets the language of the document, by which screen readers and fonts choose theirs. */
function nameDocument(language: Language): void {
  document.documentElement.lang = language === 'en' ? 'en' : 'zh-CN';
}

/** Reports a missing text as an error, so that tests fail on it: the page shows its key instead. */
function noteMissing(key: string): string {
  reportError(new Error(`no text in ${i18next.language}: ${key}`));
  return key;
}
