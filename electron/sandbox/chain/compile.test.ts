import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { artifactsFile, artifactsText, compileContracts } from './compile.ts'

test('the committed artifacts are what a fresh compile of the contracts gives', { timeout: 60_000 }, () => {
  expect(readFileSync(artifactsFile, 'utf8')).toBe(artifactsText(compileContracts()))
})
