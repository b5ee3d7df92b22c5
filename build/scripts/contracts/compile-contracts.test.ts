import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { artifactsText, compileContracts, contractSets } from './compile-contracts.ts'

test.each(Object.entries(contractSets))('the committed artifacts (%s) are what a fresh compile of the contracts gives', { timeout: 60_000 }, (_name, set) => {
  expect(readFileSync(set.artifacts, 'utf8')).toBe(artifactsText(compileContracts(set)))
})
