// Jest transformer over Node's own type stripping: the same parser as production, exact line numbers.
import { stripTypeScriptTypes } from 'node:module';

export default {
  canInstrument: false,
  process(sourceText, sourcePath) {
    return { code: stripTypeScriptTypes(sourceText, { mode: 'strip', sourceUrl: sourcePath }) };
  },
};
