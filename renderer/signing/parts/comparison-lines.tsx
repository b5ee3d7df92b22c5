import { useEffect, useRef } from 'react'
import type { ComparisonLine } from '../../../shared/ipc/intents/comparison-lines.ts'
import type { Comparison } from '../../../shared/ipc/intents/signing.ts'
import { lineName } from '../../../shared/text/comparison-text.ts'
import { remarkText } from '../../../shared/text/intent-text.ts'
import { cx } from '../../kit/cx.ts'
import { Icon, type IconName } from '../../kit/icons/icon.tsx'
import textStyles from '../../kit/text.module.css'
import { useStillBefore } from '../../kit/time/time.tsx'
import { LineValue } from '../../parts/line-value.tsx'
import { signingText } from '../../text/en/signing.en.tsx'
import { settledText } from './review-text.ts'
import styles from './signing.module.css'

interface LineLook {
  readonly className: string | undefined
  readonly icon: IconName
  /** The text for screen readers. `null`: no fixed text, because the text depends on the comparison line. */
  readonly said: string | null
}

const looks: Readonly<Record<ComparisonLine['verdict'], LineLook>> = {
  match: { className: styles.line, icon: 'check', said: signingText.lineMatches },
  differ: { className: cx(styles.line, styles.bad), icon: 'x', said: signingText.lineDiffers },
  unmatched: { className: cx(styles.line, styles.open), icon: 'unknown', said: signingText.lineNotRecognised },
  absent: { className: cx(styles.line, styles.alone), icon: 'info', said: null },
}

function Line({ line }: { readonly line: ComparisonLine }) {
  const look = looks[line.verdict]
  const remark = remarkText(line.remark)
  const { signed } = line
  const end = signed !== null && typeof signed !== 'string' && (signed.code === 'until_time' || signed.code === 'until_date') ? signed : null
  const isOver = !useStillBefore(end?.atMs ?? null) && end !== null
  return (
    <li className={look.className} data-line={line.id} data-verdict={line.verdict}>
      <span className={styles.lineSide} data-part="side">
        <span className={styles.lineLabel}>{lineName(line, isOver)}</span>
        <span className={styles.lineValue}>
          <LineValue line={line} value={line.asked} picture />
        </span>
      </span>
      <span className={styles.lineMatch}>
        <Icon name={look.icon} />
        <span className={textStyles.screenReaderOnly}>{look.said ?? settledText(line)}</span>
      </span>
      <span className={cx(styles.lineSide, styles.right)} data-part="side">
        <span className={styles.lineValue}>
          <LineValue line={line} value={isOver ? { ...end, leftMs: null } : signed} picture={false} />
          {remark === null ? null : <span className={styles.lineReason}>{remark}</span>}
        </span>
        {line.field === null ? null : (
          <code className={styles.lineField} title={line.field}>
            {line.field.replace(/^domain\./, '')}
          </code>
        )}
      </span>
    </li>
  )
}

/** The request on the left and what the wallet would sign or send on the right, connected line by line. A mismatch must be obvious. */
export function ComparisonLines({
  comparison,
  sends = false,
  over = false,
}: {
  readonly comparison: Comparison
  /** Whether the message is a transaction. The wallet sends a transaction to the chain itself. */
  readonly sends?: boolean
  /** Whether the message can no longer be signed, for example because its deadline has passed. */
  readonly over?: boolean
}) {
  const section = useRef<HTMLElement>(null)
  // In a long list the first mismatch may be out of view, so scroll to it.
  useEffect(() => {
    if (comparison.verdict === 'block') section.current?.querySelector('[data-verdict="differ"]')?.scrollIntoView({ block: 'nearest' })
  }, [comparison])
  const group = (name: ComparisonLine['group']) => comparison.lines.filter((line) => line.group === name)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section ref={section} className={over ? cx(styles.signingLines, styles.over) : styles.signingLines} aria-label={signingText.comparison} tabIndex={0}>
      <div className={styles.lnHead}>
        <h3>
          <Icon name="user" size={14} />
          {signingText.youAskedFor}
        </h3>
        <h3>
          <Icon name="phone" size={14} />
          <span>{over || comparison.verdict === 'block' ? signingText.servicePrepared : sends ? signingText.walletWillSend : signingText.walletWillSign}</span>{' '}
          <code>{comparison.primaryType}</code>
        </h3>
      </div>
      {(['order', 'envelope'] as const).map((name) =>
        group(name).length === 0 ? null : (
          <ul key={name} aria-label={name === 'order' ? signingText.whatItDoes : signingText.whoseAndWhereValid}>
            {group(name).map((line) => (
              <Line key={line.id} line={line} />
            ))}
          </ul>
        ),
      )}
    </section>
  )
}
