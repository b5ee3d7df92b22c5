import { concat, encodeAbiParameters, type Hex, keccak256, stringToHex } from 'viem'
import type { RawTypedData } from './typed-data.fixture.ts'

type Types = RawTypedData['types']

const listPattern = /^(.*)\[\d*\]$/
const elementOf = (type: string): string | null => listPattern.exec(type)?.[1] ?? null
const baseOf = (type: string): string => {
  const element = elementOf(type)
  return element === null ? type : baseOf(element)
}

/** The struct types that `primary` needs, itself among them. */
function structsOf(primary: string, types: Types, found = new Set<string>()): ReadonlySet<string> {
  if (!Object.hasOwn(types, primary) || found.has(primary)) return found
  found.add(primary)
  for (const { type } of types[primary] ?? []) structsOf(baseOf(type), types, found)
  return found
}

function encodedType(primary: string, types: Types): string {
  const others = [...structsOf(primary, types)].filter((name) => name !== primary).sort()
  return [primary, ...others].map((name) => `${name}(${(types[name] ?? []).map(({ type, name: field }) => `${type} ${field}`).join(',')})`).join('')
}

function encodedValue(type: string, value: unknown, types: Types): Hex {
  const element = elementOf(type)
  if (element !== null) return keccak256(concat((value as unknown[]).map((item) => encodedValue(element, item, types)))) // a list, by its type
  if (Object.hasOwn(types, type)) return hashedStruct(type, value as Record<string, unknown>, types) // a struct, by its type
  return type === 'string' ? keccak256(stringToHex(String(value))) : encodeAbiParameters([{ type }], [value])
}

function hashedStruct(type: string, value: Readonly<Record<string, unknown>>, types: Types): Hex {
  const fields = (types[type] ?? []).map((field) => encodedValue(field.type, value[field.name], types))
  return keccak256(concat([keccak256(stringToHex(encodedType(type, types))), ...fields]))
}

/** The digest of a message without dynamic bytes, written from the text of EIP-712 alone, by nothing that hashes typed data in the app. */
export function digestByTheStandard({ domain, types, primaryType, message }: RawTypedData): Hex {
  return keccak256(concat(['0x1901', hashedStruct('EIP712Domain', domain, types), hashedStruct(primaryType, message, types)]))
}
