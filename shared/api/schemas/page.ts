import type { z } from 'zod'
import { fieldsReader, flag, isRecord, listUnder, may, type Reader, readField, schemaOf, wholeNumber } from '../loose.ts'

/** The documented pagination envelope, nested under the endpoint's own name. */
export interface Page<T> {
  readonly items: T[]
  /** To be sent as `cursor`; null on the last page. */
  readonly nextCursor: number | null
  readonly hasMore: boolean
}

const envelope = fieldsReader({ nextCursor: may(['next_cursor'], wholeNumber), hasMore: may(['has_more'], flag) })

/** Also understands the envelope without its nesting, and a bare list. */
export function pageReader<T>(names: readonly string[], item: Reader<T>): Reader<Page<T>> {
  return (value, complain) => {
    const items = listUnder(names, item)(value, complain)
    if (items === undefined) return undefined
    const nested = isRecord(value) ? readField(value, names) : undefined
    const found = envelope(isRecord(nested) ? nested : value, () => {})
    const nextCursor = found?.nextCursor ?? null
    return { items, nextCursor, hasMore: found?.hasMore ?? nextCursor !== null }
  }
}

export const pageOf = <T>(names: readonly string[], item: Reader<T>): z.ZodType<Page<T>, unknown> => schemaOf(pageReader(names, item))
