import { fail, ok, type Result } from '../../../shared/result.ts'

/**
 * A key's limits for versioned calls, by quota name. The API document gives neither the names nor the maximum values, so the practice exchange
 * defines both.
 */
export type Quotas = Readonly<Record<string, number>>

export interface QuotaCaps {
  readonly maxKeyQuota: number
  readonly defaultKeyQuota: number
}

export const defaultCaps: QuotaCaps = { maxKeyQuota: 100, defaultKeyQuota: 50 }

const names = ['requests_per_second', 'prepare_per_second', 'execute_per_second']

export function quotasFrom(value: unknown, caps: QuotaCaps): Result<Quotas, string> {
  if (value === undefined) return ok({})
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return fail('must be an object')
  const quotas: Record<string, number> = {}
  for (const [name, limit] of Object.entries(value)) {
    if (!names.includes(name)) return fail(`${name} is not a quota; known are ${names.join(', ')}`)
    if (typeof limit !== 'number' || !Number.isInteger(limit) || limit < 1) return fail(`${name} must be a positive integer`)
    if (limit > caps.maxKeyQuota) return fail(`${name} is above the cap of ${caps.maxKeyQuota}`)
    quotas[name] = limit
  }
  return ok(quotas)
}
