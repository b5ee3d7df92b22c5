import { assumed } from '../assumptions.ts'
import { flag, isRecord, list, may, must, objectReader, type Reader, readField, schemaOf, text, time } from '../loose.ts'

const fields = assumed.circuitBreakers.fields

/** One safety switch of the service. */
interface BreakerRecord {
  readonly name: string
  /** null: the service said something that is neither. */
  readonly tripped: boolean | null
  /** The state in the service's own word. */
  readonly state: string | null
  readonly reason: string | null
  readonly sinceMs: number | null
  readonly unknownFields: string | null
}

const stopped: ReadonlySet<string> = new Set(['tripped', 'triggered', 'halted', 'paused', 'stopped', 'disabled', 'suspended'])
const running: ReadonlySet<string> = new Set(['ok', 'normal', 'armed', 'ready', 'clear', 'running', 'enabled', 'inactive'])

const stateTripped = (word: string | null): boolean | null => {
  const known = word?.trim().toLowerCase() ?? ''
  return stopped.has(known) ? true : running.has(known) ? false : null
}

const shape = objectReader({
  name: must(fields.name, text),
  tripped: may(fields.tripped, flag),
  state: may(fields.state, text),
  reason: may(fields.reason, text),
  sinceMs: may(fields.since, time),
})

const breaker: Reader<BreakerRecord> = (value, complain) => {
  const found = shape(value, complain)
  return found && { ...found, tripped: found.tripped ?? stateTripped(found.state) }
}

/** `{trading: false}`, `{trading: "paused"}` or `{trading: {tripped: true}}`. */
const named: Reader<BreakerRecord[]> = (value, complain) =>
  isRecord(value)
    ? list(breaker)(
        Object.entries(value).map(([name, said]) =>
          isRecord(said) ? { ...said, name } : typeof said === 'string' ? { name, state: said } : { name, tripped: said },
        ),
        complain,
      )
    : undefined

export const BreakerList = schemaOf<{ readonly breakers: BreakerRecord[] }>((value, complain) => {
  const source = isRecord(value) ? readField(value, [...fields.breakers, 'items']) : value
  if (source === undefined) complain([fields.breakers[0] ?? 'circuit_breakers'], 'missing')
  const breakers = Array.isArray(source) ? list(breaker)(source, complain) : named(source, complain)
  return breakers && { breakers }
})
