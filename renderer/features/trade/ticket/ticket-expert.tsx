import type { Market } from '../../../../shared/ipc/reads/markets.ts'
import { formIssueText } from '../../../../shared/text/form-text.ts'
import type { FieldIssue } from '../../../../shared/ticket/typed-number.ts'
import { Button } from '../../../kit/button.tsx'
import controlsStyles from '../../../kit/controls.module.css'
import { cx } from '../../../kit/cx.ts'
import { pressed } from '../../../kit/key-bindings.ts'
import panelStyles from '../../../kit/layout/panel.module.css'
import { tradeText } from '../../../text/en/trade.en.tsx'
import styles from '../trade.module.css'

interface ExpertProps {
  readonly market: Market
  readonly text: string
  /** True if the user edited the payload by hand, so that it no longer follows the form. */
  readonly written: boolean
  readonly issues: readonly FieldIssue<string>[]
  readonly onWrite: (text: string | null) => void
}

/** An editor for the order's payload, with the same checks as the form. */
export function ExpertFields({ market, text, written, issues, onWrite }: ExpertProps) {
  return (
    <div className={cx(controlsStyles.field, styles.ticketExpert)}>
      <label className={controlsStyles.label} htmlFor="payload">
        {tradeText.payload}
        <span className={panelStyles.end}>{market.symbol}</span>
      </label>
      <textarea
        id="payload"
        className={styles.ticketJson}
        rows={15}
        spellCheck={false}
        value={text}
        aria-invalid={issues.length > 0 || undefined}
        aria-describedby="payload-help"
        onChange={(event) => onWrite(event.target.value)}
        // Freeze the text on focus. Otherwise a price update would change it while the user types.
        onFocus={() => written || onWrite(text)}
        onKeyDown={(event) => {
          if (pressed(event, 'review') === null) return
          event.preventDefault()
          event.currentTarget.form?.requestSubmit()
        }}
      />
      <div id="payload-help" role={issues.length === 0 ? undefined : 'alert'}>
        {issues.length === 0 ? (
          <p className={controlsStyles.help}>{tradeText.payloadHelp}</p>
        ) : (
          <ul className={styles.ticketIssues}>
            {issues.map(({ field, issue }) => (
              <li key={`${field} ${issue[0]}`}>
                {field === '' ? null : (
                  <>
                    <code>{field}</code>:{' '}
                  </>
                )}
                {formIssueText(issue)}
              </li>
            ))}
          </ul>
        )}
      </div>
      {written ? (
        <Button size="xs" icon="undo" onClick={() => onWrite(null)}>
          {tradeText.resetToForm}
        </Button>
      ) : null}
    </div>
  )
}
