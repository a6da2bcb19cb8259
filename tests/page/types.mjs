// Writes the types of the engine's answers, from docs/schema, for the page's modules: `answers/index.d.ts`.

import { compile } from 'json-schema-to-typescript';
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';

const schemas = new URL('../../docs/schema/', import.meta.url);
const types = new URL('./answers/', import.meta.url);

/** The questions whose answers have a schema of another name. */
const OTHERS = { 'contest/reports': 'archive', 'plot/best': 'plot' };

rmSync(types, { recursive: true, force: true });
mkdirSync(types);
const named = {};
for (const file of readdirSync(schemas).filter((one) => one.endsWith('.json'))) {
  const name = file.replace('.json', '');
  const { $id, title, ...schema } = JSON.parse(readFileSync(new URL(file, schemas), 'utf8'));
  const options = { additionalProperties: false, bannerComment: '', format: false };
  writeFileSync(new URL(`${name}.d.ts`, types), await compile(schema, 'Answer', options));
  named[name.replace(/^rules-/, 'rules/')] = name;
}
const lines = Object.entries({ ...named, ...OTHERS }).map(([question, name]) => `  '${question}': import('./${name}').Answer;`);
writeFileSync(new URL('index.d.ts', types), `export interface Answers {\n${lines.join('\n')}\n}\n`);
