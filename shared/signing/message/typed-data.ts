import { hashTypedData, keccak256, stringToHex } from 'viem'
import { isRecord } from '../../api/loose.ts'
import { foreign } from '../../foreign/foreign.ts'
import { readJson } from '../../foreign/parse-json.ts'
import type { TypedDataProblem } from '../../ipc/intents/reasons.ts'
import { fail, ok, type Result } from '../../result.ts'
import { arrayOf, baseOf, isAtomic, Refusal, readAtomic, refuse } from '../transactions/abi-values.ts'

export interface TypedField {
  readonly name: string
  readonly type: string
}

export type TypedValue = string | boolean | bigint | readonly TypedValue[] | { readonly [name: string]: TypedValue }

/** One value of the message. Structs and non-empty lists are not values; their contents are. */
export interface TypedLeaf {
  /** The path of the value in the message, for example `order.value` or `exits[0].price`. */
  readonly path: string
  /** The field names on the path, without list indexes. */
  readonly names: readonly string[]
  readonly type: string
  readonly value: string | boolean | bigint
}

export interface TypedDomain {
  readonly name?: string
  readonly version?: string
  readonly chainId?: bigint
  readonly verifyingContract?: string
  readonly salt?: string
}

export interface TypedData {
  readonly domain: TypedDomain
  readonly types: Readonly<Record<string, readonly TypedField[]>>
  readonly primaryType: string
  readonly message: Readonly<Record<string, TypedValue>>
  /** All values of the message, in the order of the types. */
  readonly leaves: readonly TypedLeaf[]
  /** The EIP-712 digest that the wallet signs. */
  readonly digest: `0x${string}`
  /** Identifies the signing format: keccak256 of the encoded types and of the domain's fields, name and version. */
  readonly formatHash: `0x${string}`
  /** The JSON that the wallet receives. It contains only the parts of the message that the app has checked. */
  readonly json: string
  /** The JSON that the wallet receives, indented for display. */
  readonly raw: string
}

/** Why an object is not valid EIP-712 data for signing. */
export interface TypedDataFailure {
  readonly kind: 'typed_data'
  readonly problem: TypedDataProblem
}

const domainTypes: readonly TypedField[] = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
  { name: 'salt', type: 'bytes32' },
]

/** Valid names. `$` is excluded, because hashing libraries treat it differently. */
const identifierPattern = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/
/** Whether a name is valid. Excludes names such as `__proto__`, which would be lost on assignment to an object. */
const isName = (name: string): boolean => identifierPattern.test(name) && !(name in Object.prototype)
const maxLeaves = 200
const maxDepth = 8

function parseFields(name: string, fields: unknown): readonly TypedField[] {
  if (!isName(name) || isAtomic(name)) return refuse({ code: 'type_name', name })
  if (!Array.isArray(fields)) return refuse({ code: 'type_no_list', type: name })
  const seen = new Set<string>()
  return fields.map((field: unknown) => {
    if (!isRecord(field) || typeof field.name !== 'string' || typeof field.type !== 'string') return refuse({ code: 'field_unnamed', type: name })
    if (!isName(field.name)) return refuse({ code: 'field_name', type: name, name: field.name })
    if (seen.has(field.name)) return refuse({ code: 'field_twice', type: name, name: field.name })
    seen.add(field.name)
    return { name: field.name, type: field.type }
  })
}

/** Returns the struct types that `primary` refers to, directly or indirectly, including `primary` itself. Refuses unknown types and cycles. */
function reach(primary: string, declared: Readonly<Record<string, unknown>>): Record<string, readonly TypedField[]> {
  const reached: Record<string, readonly TypedField[]> = {}
  const visit = (name: string, above: readonly string[]): void => {
    if (above.includes(name)) refuse({ code: 'type_in_itself', type: name })
    // Visit each type only once, so that heavily linked types take time proportional to their number.
    if (Object.hasOwn(reached, name)) return
    if (above.length >= maxDepth) refuse({ code: 'too_deep' })
    if (!Object.hasOwn(declared, name)) refuse({ code: 'type_unknown', type: name })
    const fields = parseFields(name, declared[name])
    reached[name] = fields
    for (const field of fields) {
      const base = baseOf(field.type)
      if (!isAtomic(base)) visit(base, [...above, name])
    }
  }
  visit(primary, [])
  return reached
}

class Reading {
  readonly leaves: TypedLeaf[] = []
  readonly #types: Readonly<Record<string, readonly TypedField[]>>

  constructor(types: Readonly<Record<string, readonly TypedField[]>>) {
    this.#types = types
  }

  struct(type: string, value: unknown, path: string, names: readonly string[]): Record<string, TypedValue> {
    const fields = this.#types[type] ?? []
    if (!isRecord(value)) return refuse({ code: 'no_object', path: path === '' ? null : path })
    const declared = new Set(fields.map((field) => field.name))
    const extra = Object.keys(value).find((name) => !declared.has(name))
    if (extra !== undefined) refuse({ code: 'undeclared', name: extra })
    const result: Record<string, TypedValue> = {}
    for (const field of fields) {
      const at = path === '' ? field.name : `${path}.${field.name}`
      if (!Object.hasOwn(value, field.name)) refuse({ code: 'missing', path: at })
      result[field.name] = this.value(field.type, value[field.name], at, [...names, field.name])
    }
    return result
  }

  value(type: string, value: unknown, path: string, names: readonly string[]): TypedValue {
    const array = arrayOf(type)
    if (array !== null) {
      if (!Array.isArray(value) || (array.length !== null && array.length !== value.length)) return refuse({ code: 'no_list', path })
      // The app compares the elements of a list one by one. An empty list has no elements, so the app compares the empty list itself as a value.
      if (value.length === 0) this.#leaf(path, names, type, '')
      return value.map((item: unknown, index) => this.value(array.item, item, `${path}[${index}]`, names))
    }
    if (Object.hasOwn(this.#types, type)) return this.struct(type, value, path, names)
    const leaf = readAtomic(type, value, path)
    this.#leaf(path, names, type, leaf)
    return leaf
  }

  #leaf(path: string, names: readonly string[], type: string, value: TypedLeaf['value']): void {
    this.leaves.push({ path, names, type, value })
    if (this.leaves.length > maxLeaves) refuse({ code: 'too_many_values' })
  }
}

function parseDomain(source: unknown, declared: unknown): { readonly domain: TypedDomain; readonly fields: readonly TypedField[] } {
  if (!isRecord(source)) return refuse({ code: 'domain_no_object' })
  const present = domainTypes.filter((field) => Object.hasOwn(source, field.name))
  const unknown = Object.keys(source).find((name) => !domainTypes.some((field) => field.name === name))
  if (unknown !== undefined) refuse({ code: 'domain_unknown', name: unknown })
  if (declared !== undefined) {
    const fields = parseFields('EIP712Domain', declared)
    // Wallets ignore the declared field list of `EIP712Domain`. They rebuild it in this order from the domain's values. If the declared list
    // differs, the wallet would compute another digest.
    const same = fields.length === present.length && fields.every((field, index) => field.name === present[index]?.name && field.type === present[index]?.type)
    if (!same) refuse({ code: 'domain_contradicts' })
  }
  const value = (name: string, type: string): string | boolean | bigint | undefined =>
    Object.hasOwn(source, name) ? readAtomic(type, source[name], `domain.${name}`) : undefined
  const name = value('name', 'string')
  const version = value('version', 'string')
  const chainId = value('chainId', 'uint256')
  const verifyingContract = value('verifyingContract', 'address')
  const salt = value('salt', 'bytes32')
  const domain: TypedDomain = {
    ...(typeof name === 'string' ? { name } : {}),
    ...(typeof version === 'string' ? { version } : {}),
    ...(typeof chainId === 'bigint' ? { chainId } : {}),
    ...(typeof verifyingContract === 'string' ? { verifyingContract } : {}),
    ...(typeof salt === 'string' ? { salt } : {}),
  }
  return { domain, fields: present }
}

const encodeType = (primary: string, types: Readonly<Record<string, readonly TypedField[]>>): string =>
  [
    primary,
    ...Object.keys(types)
      .filter((name) => name !== primary)
      .sort(),
  ]
    .map((name) => `${name}(${(types[name] ?? []).map((field) => `${field.type} ${field.name}`).join(',')})`)
    .join('')

const plain = (value: unknown): unknown => {
  if (typeof value === 'bigint') return value.toString()
  if (Array.isArray(value)) return value.map(plain)
  return isRecord(value) ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plain(inner)])) : value
}

function parse(source: unknown): TypedData {
  const object = typeof source === 'string' ? readJson(foreign(source)) : source
  if (object === undefined) return refuse({ code: 'unreadable' })
  if (!isRecord(object) || !isRecord(object.types)) return refuse({ code: 'none' })
  const primaryType = object.primaryType
  if (typeof primaryType !== 'string' || primaryType === 'EIP712Domain') return refuse({ code: 'no_primary_type' })
  const { domain, fields } = parseDomain(object.domain, object.types.EIP712Domain)
  const types = reach(primaryType, object.types)
  if (Object.hasOwn(types, 'EIP712Domain')) refuse({ code: 'own_domain' })
  const reading = new Reading(types)
  const message = reading.struct(primaryType, object.message, '', [])
  if (reading.leaves.length === 0) refuse({ code: 'empty' })
  const allTypes = { EIP712Domain: fields, ...types }
  // Wallets expect the chain id as a number. Convert it if it fits into one without loss.
  const chainId =
    domain.chainId === undefined ? {} : { chainId: domain.chainId <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(domain.chainId) : domain.chainId.toString() }
  const outgoing = { types: allTypes, domain: { ...domain, ...chainId }, primaryType, message: plain(message) }
  const digest = hashTypedData({
    // A cast, because viem needs types at compile time, but the data's types are known only at run time.
    domain: domain as Record<string, unknown>,
    types: Object.fromEntries(Object.entries(allTypes).map(([name, list]) => [name, [...list]])),
    primaryType,
    message: message as Record<string, unknown>,
  })
  const domainLayout = fields.map((field) => `${field.type} ${field.name}`).join(',')
  const formatHash = keccak256(stringToHex(JSON.stringify([encodeType(primaryType, types), domainLayout, domain.name ?? null, domain.version ?? null])))
  return {
    domain,
    types,
    primaryType,
    message,
    leaves: reading.leaves,
    digest,
    formatHash: formatHash,
    json: JSON.stringify(outgoing),
    raw: JSON.stringify(outgoing, null, 2),
  }
}

/**
 * Parses an EIP-712 object strictly. Refuses unknown types, undeclared, missing or duplicate fields, values out of range, and a domain that differs
 * from its declaration: wallets might show or hash these differently. Numbers may be JSON numbers, decimal text or hex text. Unused types are not
 * sent to the wallet.
 */
export function parseTypedData(source: unknown): Result<TypedData, TypedDataFailure> {
  try {
    return ok(parse(source))
  } catch (error) {
    // An error may also come from viem, which has further rules. If viem cannot hash a message, the app does not let the wallet sign it.
    return fail({ kind: 'typed_data', problem: error instanceof Refusal ? error.problem : { code: 'not_hashable' } })
  }
}
