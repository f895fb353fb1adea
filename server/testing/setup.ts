import { afterAll, afterEach, expect } from 'vitest';
import { takeFindings } from './findings.ts';
// Once for a process, as what is imported below is: this file runs again with each file of tests.
import './this-machine-only.ts';

if (process.env.RECORDED_STATEMENTS !== undefined) await import('./record-statements.ts');

// Whatever a test is about, each call that it makes is answered as the API document says.
const isAsDocumented = () => expect(takeFindings(), 'calls that /openapi.json does not describe').toEqual([]);
afterEach(isAsDocumented);
// What was answered once the last test had ended.
afterAll(isAsDocumented);
