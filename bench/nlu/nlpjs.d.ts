declare module '@nlpjs/core' {
  export interface Container {
    use(plugin: unknown): void;
  }
  export function containerBootstrap(): Promise<Container>;
}

declare module '@nlpjs/lang-zh' {
  export const LangZh: unknown;
}

declare module '@nlpjs/nlp' {
  import type { Container } from '@nlpjs/core';

  export class Nlp {
    constructor(settings: { container: Container; languages: string[]; autoSave: boolean; log: boolean; nlu?: object });
    addLanguage(language: string): void;
    addDocument(language: string, utterance: string, intent: string): void;
    train(): Promise<void>;
    process(language: string, utterance: string): Promise<{ intent: string; score: number }>;
  }
}
