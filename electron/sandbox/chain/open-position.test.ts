import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { routerArtifact } from './contracts.ts'
import { openPositionFields } from './open-position.ts'

const written = openPositionFields.map(({ name, type }) => ({ name, type }))

test('the struct is the one that the compiled router takes, field by field', () => {
  const [struct] = routerArtifact.abi.flatMap((item) => (item.type === 'function' && item.name === 'openPosition' ? [item.inputs[0]] : []))
  const components = struct !== undefined && 'components' in struct ? struct.components : []
  expect(components.map(({ name, type }) => ({ name, type }))).toEqual(written)
})

test('the struct is the one whose type the router hashes', () => {
  const source = readFileSync(join(import.meta.dirname, 'contracts/DexRouter.sol'), 'utf8')
  const type = `OpenPosition(${written.map(({ name, type: each }) => `${each} ${name}`).join(',')})`
  expect(/"(OpenPosition\([^"]*)"/.exec(source)?.[1]).toBe(type)
})
