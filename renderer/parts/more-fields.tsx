import { useId, useState } from 'react'
import { leftOutName, reasonsName } from '../../shared/api/unknown-fields.ts'
import { hiddenAmount } from '../../shared/decimal.ts'
import { cx } from '../kit/cx.ts'
import { Icon } from '../kit/icons/icon.tsx'
import { useAmountText } from '../kit/number.tsx'
import textStyles from '../kit/text.module.css'
import { VisibleText } from '../kit/visible-text.tsx'
import { partsText } from '../text/en/parts.en.tsx'
import styles from './parts.module.css'

const reasonText: Readonly<Record<UnknownReason, string>> = {
  unit: partsText.reasonUnit,
  scale: partsText.reasonScale,
  conflict: partsText.reasonConflict,
}

/**
 * A record's fields that this app does not know, collapsed: name and value as the service sent them (ERR-02). Draws nothing if the record has none.
 * `of` names the record for screen readers, for example "key grid-eth". `from` names the response, if a screen shows several.
 */
export function MoreFields({
  of,
  fields,
  from = partsText.theService,
  className,
}: {
  readonly of: string
  readonly fields: string | null
  readonly from?: string
  readonly className?: string | undefined
}) {
  const id = useId()
  const [open, setOpen] = useState(false)
  const amount = useAmountText()
  const { rows, leftOut } = unknownRows(fields)
  const count = rows.length + leftOut
  if (count === 0) return null
  return (
    <div className={cx(styles.moreFields, className)}>
      <button type="button" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
        <Icon name="chevron-right" size={14} />
        {partsText.moreFields(count, from)}
      </button>
      <section id={id} aria-label={partsText.unknownFieldsOf(of)} hidden={!open}>
        <dl>
          {rows.map(({ name, value, reason }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two fields may have the same name once they are flattened
            <div key={`${index}:${name}`}>
              <dt>
                <VisibleText text={name} />
              </dt>
              <dd>
                <VisibleText text={amount === hiddenAmount && /\d/.test(value) ? hiddenAmount(value) : value} />
                {reason === undefined ? null : <span className={textStyles.muted}> {reasonText[reason]}</span>}
              </dd>
            </div>
          ))}
        </dl>
        <p>{leftOut === 0 ? partsText.unknownFieldsHelp : partsText.unknownFieldsCut(leftOut)}</p>
      </section>
    </div>
  )
}

interface UnknownRow {
  /** The field's name. For a field inside an object, its whole path: `limits.daily`. */
  readonly name: string
  readonly value: string
  /** Why the app could not read the value of a field that it knows. Absent for an unknown field. */
  readonly reason?: UnknownReason
}

type UnknownReason = 'unit' | 'scale' | 'conflict'
const isReason = (value: unknown): value is UnknownReason => value === 'unit' || value === 'scale' || value === 'conflict'

interface UnknownRows {
  readonly rows: readonly UnknownRow[]
  /** How many fields the main process left out because the record had too many. */
  readonly leftOut: number
}

const deepest = 3

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null && !Array.isArray(value)

function flatten(name: string, value: unknown, depth: number): readonly UnknownRow[] {
  if (isObject(value) && depth < deepest && Object.keys(value).length > 0)
    return Object.entries(value).flatMap(([inner, held]) => flatten(`${name}.${inner}`, held, depth + 1))
  const plain = Array.isArray(value) && value.every((item) => typeof item !== 'object' || item === null)
  return [{ name, value: typeof value === 'string' ? value : plain ? value.join(', ') : JSON.stringify(value) }]
}

export interface UnknownTable {
  readonly name: string
  readonly columns: readonly string[]
  /** The table's lines. Each has one cell per column; `null` if the record lacks the field. */
  readonly lines: readonly (readonly (string | null)[])[]
}

const plainText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** Converts a list to a table; `null` if it is not a list of records with plain values. */
function tableOf(name: string, value: unknown): UnknownTable | null {
  if (!Array.isArray(value) || value.length === 0 || !value.every(isObject)) return null
  const columns = [...new Set(value.flatMap((record) => Object.keys(record)))]
  if (columns.length === 0 || value.some((record) => Object.values(record).some((held) => typeof held === 'object' && held !== null))) return null
  return { name, columns, lines: value.map((record) => columns.map((column) => (record[column] == null ? null : plainText(record[column])))) }
}

/** Like `unknownRows`, but returns lists of similar records separately, as tables. */
export function unknownTables(fields: string | null): UnknownRows & { readonly tables: readonly UnknownTable[] } {
  const { rows, leftOut } = unknownRows(fields)
  const tables: UnknownTable[] = []
  const others = rows.filter(({ name, value }) => {
    const table = tableOf(name, parsedList(value))
    if (table !== null) tables.push(table)
    return table === null
  })
  return { rows: others, leftOut, tables }
}

function parsedList(text: string): unknown {
  if (!text.startsWith('[')) return null
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** The rows of a record's unknown fields. Empty if there are none, or if `fields` is not a valid JSON object. */
export function unknownRows(fields: string | null): UnknownRows {
  const none = { rows: [], leftOut: 0 }
  if (fields === null) return none
  let parsed: unknown
  try {
    parsed = JSON.parse(fields)
  } catch {
    return none
  }
  if (!isObject(parsed)) return none
  const { [leftOutName]: leftOut, [reasonsName]: reasons, ...known } = parsed
  const reasonOf = (name: string): UnknownReason | null => {
    const reason = isObject(reasons) && Object.hasOwn(reasons, name) ? reasons[name] : null
    return isReason(reason) ? reason : null
  }
  const rows = Object.entries(known).flatMap(([name, value]) =>
    flatten(name, value, 0).map((row) => {
      const reason = reasonOf(row.name)
      return reason === null ? row : { ...row, reason }
    }),
  )
  return { rows, leftOut: typeof leftOut === 'number' ? leftOut : 0 }
}
