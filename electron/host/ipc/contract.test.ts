import { expect, test } from 'vitest'
import { z } from 'zod'
import { contract } from '../../../shared/ipc/contract.ts'
import { command, type NamesItsQueries, query } from '../../../shared/ipc/define.ts'
import { Failure } from '../../../shared/ipc/failure.ts'

/** Texts of up to this length cannot contain a secret, because 128 bits need 22 base64 characters. */
const tooShort = 16

/**
 * Whether values of a schema cannot contain a secret: fixed words or texts of limited length. Also true for objects, because the test checks their
 * properties separately.
 */
function isClosed(schema: z.core.$ZodType): boolean {
  const { def } = schema._zod as unknown as {
    def: { readonly type: string; readonly innerType?: z.core.$ZodType; readonly element?: z.core.$ZodType }
  }
  if (def.type === 'enum' || def.type === 'literal' || def.type === 'object') return true
  if (schema instanceof z.ZodString) return schema.maxLength !== null && schema.maxLength <= tooShort
  const inner = def.innerType ?? def.element
  return inner !== undefined && isClosed(inner)
}

/** The paths of all properties in a schema. */
function names(schema: z.core.$ZodType, path = '', seen = new Set<z.core.$ZodType>()): string[] {
  if (seen.has(schema)) return []
  seen.add(schema)
  const { def } = schema._zod as unknown as { def: Record<string, unknown> }
  const found: string[] = []
  if (def.type === 'any' || def.type === 'unknown' || def.type === 'custom') found.push(`${path}: anything at all`)
  if (def.type === 'object') {
    if (def.catchall !== undefined && (def.catchall as z.core.$ZodType)._zod.def.type !== 'never') found.push(`${path}: any name`)
    for (const [name, inner] of Object.entries(def.shape as Record<string, z.core.$ZodType>))
      found.push(`${path}.${name}${isClosed(inner) ? ': closed' : ''}`, ...names(inner, `${path}.${name}`, seen))
  } else
    for (const value of Object.values(def)) {
      const inner = Array.isArray(value) ? value : [value]
      for (const one of inner) if (typeof one === 'object' && one !== null && '_zod' in one) found.push(...names(one as z.core.$ZodType, path, seen))
    }
  return found
}

/** Whether a property’s name suggests a secret. */
const suspicious = (path: string): boolean =>
  /(secret|api_?key|token|bearer|password|private_?key|developer_?session|mnemonic|anything at all|any name)/i.test(path.split('.').at(-1) ?? '') &&
  !path.endsWith(': closed')

test('no answer of the main process in the IPC contract has a field for a secret [AUTH-09]', () => {
  const found = Object.entries(contract).flatMap(([name, { output }]) => names(output, name))
  expect(found.length).toBeGreaterThan(200)
  expect(found.filter((path) => suspicious(path))).toEqual([])
  expect(names(Failure, 'failure').filter(suspicious)).toEqual([])
})

test('a field of the IPC contract whose name suggests a secret allows only fixed words, never free text', () => {
  const { keys } = contract['keys.list'].output.shape
  expect(keys.element.shape.secret.options).toEqual(['keychain', 'memory', 'elsewhere', 'removed'])
  const { webhooks } = contract['webhooks.list'].output.shape
  expect(webhooks.element.shape.secret.options).toEqual(['keychain', 'memory', 'elsewhere'])
})

test('the check of the IPC contract finds a field for a secret anywhere in a schema', () => {
  const planted = [
    z.object({ apiKey: z.string() }),
    z.object({ secrets: z.object({ either: z.object({ apiKey: z.string().optional() }) }) }),
    z.object({ list: z.array(z.object({ signing_secret: z.string() })) }),
    z.object({ either: z.union([z.number(), z.object({ token: z.string().nullable() })]) }),
    z.object({ deep: z.object({ bearer: z.string() }).nullable().optional() }),
    z.object({ token: z.string().max(17) }),
    z.object({ tokens: z.array(z.string()) }),
    z.object({ rest: z.unknown() }),
    z.looseObject({ id: z.string() }),
    z.record(z.string(), z.object({ password: z.string() })),
    z.discriminatedUnion('kind', [z.object({ kind: z.literal('a'), developerSession: z.string() })]),
    z.tuple([z.object({ privateKey: z.string() })]),
  ]
  for (const schema of planted) expect(names(schema, 'x').filter(suspicious), JSON.stringify(z.toJSONSchema(schema))).not.toEqual([])
})

test('a command of the IPC contract makes only queries of the same contract outdated', () => {
  const unknown = Object.entries(contract).flatMap(([name, definition]) =>
    definition.kind === 'command' ? definition.invalidates.filter((query) => !Object.hasOwn(contract, query)).map((query) => `${name}: ${query}`) : [],
  )
  expect(unknown).toEqual([])
})

test('an IPC contract does not compile if one of its commands names a query that the contract lacks', () => {
  const planted = { list: query(z.object({}), z.object({}), 'app'), act: command(z.object({}), z.object({}), { invalidates: ['lists'] }) }
  // @ts-expect-error: no query is called `lists`
  expect(Object.keys(planted satisfies NamesItsQueries<typeof planted>)).toEqual(['list', 'act'])
  // @ts-expect-error: the third argument ('wallet' or 'app') is missing
  expect(query(z.object({}), z.object({})).of).toBeUndefined()
})
