import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { artifactsText, compileContracts, contractSets } from './compile-contracts.ts'

test.each(Object.entries(contractSets))(
  'the compiled contracts in the repository (%s) equal a fresh compilation of their source code',
  { timeout: 60_000 },
  (_name, set) => {
    expect(readFileSync(set.artifacts, 'utf8')).toBe(artifactsText(compileContracts(set)))
  },
)
