import { useId, useState } from 'react'
import { cx } from '../kit/cx.ts'
import { Icon } from '../kit/icons/icon.tsx'
import textStyles from '../kit/text.module.css'
import { VisibleText } from '../kit/visible-text.tsx'
import styles from './parts.module.css'
import { type UnknownReason, unknownRows } from './unknown-rows.ts'

const reasonText: Readonly<Record<UnknownReason, string>> = {
  unit: 'The service does not say its unit.',
  scale: 'The service does not say how many decimals it carries.',
  conflict: 'The service says two different things.',
}

/**
 * The fields of a record that this app does not know, folded: name and value as the service sent them (ERR-02). Draws nothing where
 * there are none. `of` names the record for screen readers, for example "key grid-eth"; `from` the answer, where a screen holds several.
 */
export function MoreFields({
  of,
  fields,
  from = 'the service',
  className,
}: {
  readonly of: string
  readonly fields: string | null
  readonly from?: string
  readonly className?: string | undefined
}) {
  const id = useId()
  const [open, setOpen] = useState(false)
  const { rows, leftOut } = unknownRows(fields)
  const count = rows.length + leftOut
  if (count === 0) return null
  return (
    <div className={cx(styles.moreFields, className)}>
      <button type="button" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
        <Icon name="chevron-right" size={14} />
        {count} more {count === 1 ? 'field' : 'fields'} from {from}
      </button>
      <section id={id} aria-label={`Fields of ${of} that this app does not know`} hidden={!open}>
        <dl>
          {rows.map(({ name, value, reason }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two fields may have the same name once they are flattened
            <div key={`${index}:${name}`}>
              <dt>
                <VisibleText text={name} />
              </dt>
              <dd>
                <VisibleText text={value} />
                {reason === undefined ? null : <span className={textStyles.muted}> {reasonText[reason]}</span>}
              </dd>
            </div>
          ))}
        </dl>
        <p>{leftOut === 0 ? 'Unknown to this app, shown as they came.' : `Unknown to this app. ${leftOut} more were left out.`}</p>
      </section>
    </div>
  )
}
