import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { routerArtifact } from './contracts.ts'
import { type IntentType, intentFields, intentFunctions } from './router-intents.ts'

const types: readonly IntentType[] = ['OpenPosition', 'ClosePosition', 'InvertPosition']
const written = (type: IntentType) => intentFields[type].map(({ name, type: each }) => ({ name, type: each }))

test.each(types)('the practice exchange’s intent type %s has the same fields as the struct in the compiled router contract', (type) => {
  const [struct] = routerArtifact.abi.flatMap((item) => (item.type === 'function' && item.name === intentFunctions[type] ? [item.inputs[0]] : []))
  const components = struct !== undefined && 'components' in struct ? struct.components : []
  expect(components.map(({ name, type: each }) => ({ name, type: each }))).toEqual(written(type))
})

test.each(types)('the practice exchange’s intent type %s has the same type text as the one that the router contract hashes', (type) => {
  const source = readFileSync(join(import.meta.dirname, 'contracts/DexRouter.sol'), 'utf8')
  const hashed = `${type}(${written(type)
    .map(({ name, type: each }) => `${each} ${name}`)
    .join(',')})`
  expect(new RegExp(`"(${type}\\([^"]*)"`).exec(source)?.[1]).toBe(hashed)
})
