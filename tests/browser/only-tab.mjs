import { runAll } from './harness.mjs';
import './tab.mjs';
await runAll();
